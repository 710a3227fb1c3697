import Health
import TestSupport
import Testing

/// The gaps between packets that were received, of senders with these intervals and this share of losses.
private func gaps(
    _ senders: [(interval: Double, first: Double)], lost: Double, seconds: Double, seed: UInt64 = 1
) -> [Double] {
    var random = SeededGenerator(seed: seed)
    var times: [Double] = []
    for sender in senders {
        var time = sender.first
        while time < seconds {
            // advDelay: Core Specification Vol 6, Part B, 4.4.2.2.
            time += sender.interval + Double.random(in: 0...0.01, using: &random)
            if Double.random(in: 0..<1, using: &random) >= lost { times.append(time) }
        }
    }
    times.sort()
    return zip(times, times.dropFirst()).map { $1 - $0 }
}

@Suite struct AdvertisingIntervalTests {
    @Test(
        "losses do not change the interval", arguments: [0.1, 0.3, 1, 5] as [Double], [0, 0.3, 0.6, 0.8] as [Double])
    func losses(interval: Double, lost: Double) throws {
        // Sixty packets and a bit, where none is lost.
        let gaps = gaps([(interval, 0)], lost: lost, seconds: interval * (lost > 0.7 ? 300 : 80))
        guard case .regular(let estimate) = AdvertisingInterval(gaps: gaps) else {
            Issue.record("no interval of \(gaps.count) gaps")
            return
        }
        #expect(abs(estimate - interval - 0.005) < 0.05 * interval + 0.005)
    }

    @Test("a beacon that sends half as often has twice the interval, whatever was lost")
    func slower() {
        let before = AdvertisingInterval(gaps: gaps([(0.5, 0)], lost: 0.4, seconds: 60))
        let after = AdvertisingInterval(gaps: gaps([(1, 0)], lost: 0.4, seconds: 60))
        guard case .regular(let fast) = before, case .regular(let slow) = after else {
            Issue.record("\(before), \(after)")
            return
        }
        #expect((1.9...2.1).contains(slow / fast))
    }

    @Test("the packets of two senders follow no interval", arguments: [0, 0.3] as [Double], [1, 2, 3, 4, 5] as [UInt64])
    func twoSenders(lost: Double, seed: UInt64) {
        let gaps = gaps([(0.5, 0), (0.5, 0.2)], lost: lost, seconds: 60, seed: seed)
        #expect(AdvertisingInterval(gaps: gaps) == .irregular)
    }

    @Test("too few gaps, copies and nonsense tell nothing", arguments: [
        [], [0.1, 0.1, 0.1], Array(repeating: 0.001, count: 100), Array(repeating: .nan, count: 100),
        Array(repeating: -1, count: 100), Array(repeating: .infinity, count: 100),
    ] as [[Double]])
    func tooFew(gaps: [Double]) {
        #expect(AdvertisingInterval(gaps: gaps) == .unknown)
    }
}
