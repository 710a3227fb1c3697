import Beacon
import FleetFormat
import Testing

@Suite struct LevelSecondsTests {
    private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)

    private func sighting(at seconds: Double) -> Sighting {
        Sighting(
            time: Timestamp(seconds: seconds), rssi: -60, beacon: IBeacon(id: beacon, measuredPower: -59))
    }

    /// What is told when the clock shows these times, with these corrections.
    private func told(_ ticks: [(clock: Double, correction: Int?)]) -> [LevelsMessage] {
        var seconds = LevelSeconds()
        return ticks.flatMap { tick in
            seconds.take(
                [sighting(at: tick.clock - 0.25)], at: Timestamp(seconds: tick.clock), clock: tick.correction,
                isBlind: false)
        }
    }

    @Test(
        "each second is told once, with what was heard in it", arguments: [nil, 0, 10_000, -10_400, 400, 500] as [Int?])
    func seconds(correction: Int?) {
        let messages = told(stride(from: 1000.5, to: 1010, by: 0.5).map { ($0, correction) })
        let corrected = messages.map(\.correctedSecond)
        #expect(corrected == Array((corrected.first ?? 0)..<(corrected.first ?? 0) + 9))
        #expect(messages.dropFirst().allSatisfy { $0.rows.map(\.count) == [2] })
        #expect(messages.allSatisfy { $0.clock == correction && $0.rows.allSatisfy { $0.age <= 1 } })
        let first = 1000 + Double(correction ?? 0) / 1000
        #expect(abs(Double(corrected.first ?? 0) - first) <= 1)
    }

    @Test("a clock that is set while its correction changes alike is not seen: every second is told once")
    func setClock() {
        let before = stride(from: 1000.5, to: 1005, by: 0.5).map { ($0, 10_000 as Int?) }
        let after = stride(from: 1015.0, to: 1020, by: 0.5).map { ($0, 0 as Int?) }
        #expect(told(before + after).map(\.correctedSecond) == Array(1010..<1019))
    }

    @Test("a correction that grows skips seconds, and one that shrinks tells none again", arguments: [
        (10_000, Array(1000..<1004) + Array(1015..<1019)),
        // The scanner waits until nothing is told twice.
        (-3000, Array(1000..<1007)),
        // Too far back: it begins anew.
        (-60_000, Array(1000..<1004) + Array(945..<949)),
    ] as [(Int, [Int64])])
    func changes(correction: Int, expected: [Int64]) {
        let before = stride(from: 1000.5, to: 1005, by: 0.5).map { ($0, 0 as Int?) }
        let after = stride(from: 1005.0, to: correction == -3000 ? 1010.5 : 1009.5, by: 0.5).map {
            ($0, correction as Int?)
        }
        #expect(told(before + after).map(\.correctedSecond) == expected)
    }

    @Test("silence is told second by second, and long silence is not made up")
    func silence() {
        #expect(told([(1000.5, nil), (1005.5, nil)]).map(\.second) == Array(1000..<1005))
        #expect(told([(1000.5, nil), (5000.5, nil)]).map(\.second) == Array(4990..<5000))
    }
}
