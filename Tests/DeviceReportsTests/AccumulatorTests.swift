import Beacon
import DeviceReports
import Foundation
import Ranging
import Testing

private let one = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 1)
private let two = BeaconID(uuid: one.uuid, major: 1, minor: 2)

private func at(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1_800_000_000 + seconds) }

private func ranking(_ seconds: Double, nearest: BeaconID?, level: Double? = -60) -> Ranking {
    Ranking(
        time: at(seconds), nearest: nearest,
        beacons: [one, two].enumerated().map { index, id in
            RangedBeacon(
                rank: index + 1, id: id, rssi: -60, filteredRSSI: level, measuredPower: -59, distance: nil,
                proximity: .near, lastSeen: at(seconds), count: 1)
        })
}

private func sighting(_ seconds: Double, of id: BeaconID, source: SourceID = 0) -> Sighting {
    Sighting(time: at(seconds), source: source, rssi: -60, beacon: IBeacon(id: id, measuredPower: -59))
}

@Suite("What a report counts")
struct AccumulatorTests {
    @Test("how long each beacon is the nearest, and how often it becomes that, by the revision that is shown")
    func dwell() {
        var accumulator = ReportAccumulator(start: at(0))
        for second in 0...9 {
            accumulator.note([], ranking(Double(second), nearest: one), isBlind: false, revision: 7)
        }
        for second in 10...14 {
            accumulator.note([], ranking(Double(second), nearest: two), isBlind: false, revision: 8)
        }
        accumulator.note([], ranking(15, nearest: one), isBlind: false, revision: 8)
        let report = accumulator.finish(at: at(60), version: "1", state: DeviceState())
        // The first ranking has none before it, so nothing has changed with it.
        #expect(report.dwell[.init(beacon: one, revision: 7)] == .init(seconds: 9, visits: 0))
        #expect(report.dwell[.init(beacon: one, revision: 8)] == .init(seconds: 1, visits: 1))
        #expect(report.dwell[.init(beacon: two, revision: 8)] == .init(seconds: 5, visits: 1))
    }

    @Test("nothing while the scanner is blind, or after a pause")
    func doubtful() {
        var accumulator = ReportAccumulator(start: at(0))
        accumulator.note([], ranking(0, nearest: one), isBlind: false, revision: 1)
        accumulator.note([], ranking(1, nearest: one), isBlind: true, revision: 1)
        accumulator.note([], ranking(2, nearest: one), isBlind: false, revision: 1)
        accumulator.note([], ranking(500, nearest: one), isBlind: false, revision: 1)
        #expect(accumulator.finish(at: at(600), version: "1", state: DeviceState()).dwell.isEmpty)
    }

    @Test("the mean interval of a beacon at one receiver, copies left out")
    func interval() throws {
        var accumulator = ReportAccumulator(start: at(0))
        let sightings = (0..<21).flatMap { index in
            let time = Double(index) * 0.2
            return [
                sighting(time, of: one), sighting(time + 0.001, of: one), sighting(time + 0.05, of: one, source: 1),
            ]
        }
        accumulator.note(sightings, ranking(5, nearest: one, level: -61.26), isBlind: false, revision: 1)
        let report = accumulator.finish(at: at(60), version: "1", state: DeviceState())
        let heard = try #require(report.beacons.first)
        #expect(report.beacons.count == 1)
        #expect(heard.rssi == -61.26)
        #expect(abs((heard.interval ?? 0) - 200) < 1)
        #expect(heard.lastSeen == at(4))
    }

    @Test("a bounded number of beacons, the strongest, however many are forged")
    func bounded() {
        var accumulator = ReportAccumulator(start: at(0))
        for minor in 0..<5000 {
            let id = BeaconID(uuid: one.uuid, major: 9, minor: UInt16(minor))
            accumulator.note([sighting(1, of: id)], ranking(Double(minor), nearest: id), isBlind: false, revision: 1)
        }
        let report = accumulator.finish(at: at(6000), version: "1", state: DeviceState())
        #expect(report.beacons.count == 200)
        #expect(report.dwell.count == 400)
        #expect(report.json(host: "hall").utf8.count < 200_000)
    }

    @Test(
        "the same times and intervals when the wall clock is set, and the period is as long",
        arguments: [3, -3, 3600, -3600, 400 * 86_400, -400 * 86_400] as [Double])
    func clockSet(step: Double) throws {
        // Set between the sightings of one batch.
        func wall(_ elapsed: Double) -> Double { elapsed < 20.25 ? elapsed : elapsed + step }
        var accumulator = ReportAccumulator(start: at(0), elapsed: .zero)
        for tick in 1...80 {
            let end = Double(tick) / 2
            let sightings = (0..<5).map { sighting(wall(end - 0.5 + Double($0) / 10), of: one) }
            accumulator.note(
                sightings, ranking(wall(end), nearest: one), elapsed: .seconds(end), isBlind: false, revision: 1)
        }
        let report = accumulator.finish(
            at: at(wall(60)), elapsed: .seconds(60), version: "1", state: DeviceState())
        let heard = try #require(report.beacons.first)
        #expect(abs((heard.interval ?? 0) - 100) < 0.1)
        #expect(abs(heard.lastSeen.seconds(since: at(wall(39.9)))) < 0.001)
        let dwell = try #require(report.dwell[.init(beacon: one, revision: 1)])
        #expect(abs(dwell.seconds - 39.5) < 0.001 && dwell.visits == 0)
        #expect(abs(report.start.seconds(since: at(step))) < 0.001)
        #expect(abs(report.end.seconds(since: at(60 + step))) < 0.001)
    }

    @Test(
        "the same intervals when the wall clock is set just before a period ends", arguments: [3600, -3600] as [Double])
    func clockSetAtEnd(step: Double) throws {
        var accumulator = ReportAccumulator(start: at(0), elapsed: .zero)
        accumulator.note([], ranking(59.5, nearest: nil), elapsed: .seconds(59.5), isBlind: false, revision: 1)
        _ = accumulator.finish(at: at(60 + step), elapsed: .seconds(60), version: "1", state: DeviceState())
        // The first two came before the clock was set.
        let sightings = [59.6, 59.7, 59.8 + step, 59.9 + step].map { sighting($0, of: one) }
        accumulator.note(
            sightings, ranking(60.1 + step, nearest: nil), elapsed: .seconds(60.1), isBlind: false, revision: 1)
        let report = accumulator.finish(
            at: at(120 + step), elapsed: .seconds(120), version: "1", state: DeviceState())
        let heard = try #require(report.beacons.first)
        #expect(abs((heard.interval ?? 0) - 100) < 0.1)
        #expect(abs(report.start.seconds(since: at(60 + step))) < 0.001)
    }

    @Test("a clock that is set back costs no later period either")
    func setBack() {
        var accumulator = ReportAccumulator(start: at(3600), elapsed: .zero)
        for minute in 1...3 {
            let end = at(Double(minute) * 60)
            let report = accumulator.finish(
                at: end, elapsed: .seconds(minute * 60), version: "1", state: DeviceState())
            #expect(report.end == end)
            #expect(report.start == end.advanced(bySeconds: -60))
        }
    }

    @Test("no two periods begin at the same instant, however short they are")
    func starts() {
        var accumulator = ReportAccumulator(start: at(100))
        let first = accumulator.finish(at: at(100), version: "1", state: DeviceState())
        let second = accumulator.finish(at: at(100), version: "1", state: DeviceState())
        #expect(first.start == at(100))
        #expect(first.end == at(100))
        #expect(second.start > first.start)
    }

    @Test("is JSON as the documents say")
    func json() throws {
        var accumulator = ReportAccumulator(start: at(0))
        accumulator.note(
            [sighting(1, of: one), sighting(2, of: one)], ranking(2, nearest: nil), isBlind: false, revision: 3)
        accumulator.note([], ranking(3, nearest: one), isBlind: false, revision: 3)
        accumulator.note([], ranking(4, nearest: one), isBlind: false, revision: 3)
        var state = DeviceState()
        state.revision = 3
        state.missing = 2
        state.problems = ["hci0: \"gone\"", String(repeating: "x", count: 1000)]
        let text = accumulator.finish(at: at(60), version: "1.2.3", state: state).json(host: "hall-3")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["format"] as? Int == 1)
        #expect(json["host"] as? String == "hall-3")
        #expect(json["period_start"] as? String == at(0).rfc3339)
        #expect(json["revision"] as? Int == 3)
        #expect(json["complete"] as? Bool == false)
        #expect(json["scanner"] as? String == "ok")
        let beacon = try #require((json["beacons"] as? [[String: Any]])?.first)
        #expect(beacon["uuid"] as? String == "\(one.uuid)")
        #expect(beacon["interval_ms"] as? Int == 1000)
        let dwell = try #require((json["dwell"] as? [[String: Any]])?.first)
        #expect(dwell["seconds"] as? Double == 1)
        #expect(dwell["visits"] as? Int == 1)
        #expect((json["problems"] as? [String])?.map(\.count) == [12, 300])
    }
}

@Suite("Reports that wait")
struct QueueTests {
    private func report(_ minute: Int) -> DeviceReport {
        var accumulator = ReportAccumulator(start: at(Double(minute) * 60))
        for second in 0...30 {
            let time = Double(minute) * 60 + Double(second)
            accumulator.note([], ranking(time, nearest: one), isBlind: false, revision: 1)
        }
        return accumulator.finish(at: at(Double(minute + 1) * 60), version: "1", state: DeviceState())
    }

    @Test("are few after a day without a network, and nothing of the day is lost")
    func day() {
        var queue = ReportQueue()
        for minute in 0..<1440 { queue.append(report(minute)) }
        #expect(queue.count <= 24)
        var seconds = 0.0
        var end = at(0)
        while let first = queue.first {
            #expect(first.start >= end)
            end = first.end
            seconds += first.dwell.values.reduce(0) { $0 + $1.seconds }
            queue.removeFirst()
        }
        #expect(seconds == 1440 * 30)
    }

    @Test("none is lost when the wall clock is set, and every period is as long as it was", arguments: [400, -400])
    func clockSet(days: Int) {
        var queue = ReportQueue()
        for minute in 0..<60 {
            queue.append(report(minute < 30 ? minute : minute + days * 1440), at: Double(minute + 1) * 60)
        }
        var (seconds, period) = (0.0, 0.0)
        while let first = queue.first {
            #expect(first.start < first.end)
            seconds += first.dwell.values.reduce(0) { $0 + $1.seconds }
            period += first.end.seconds(since: first.start)
            queue.removeFirst()
        }
        #expect(abs(seconds - 60 * 30) < 0.001)
        #expect(abs(period - 3600) < 0.001)
    }

    @Test("what may have arrived is sent again as it was, and never joined with another")
    func tried() {
        var queue = ReportQueue()
        queue.append(report(0))
        queue.tryFirst()
        let first = queue.first
        for minute in 1..<200 { queue.append(report(minute)) }
        #expect(queue.first == first)
        #expect(queue.count <= 24)
    }

    @Test("what is older than a day is dropped")
    func old() {
        var queue = ReportQueue()
        queue.append(report(0))
        queue.append(report(2000))
        #expect(queue.count == 1)
        #expect(queue.first?.start == at(2000 * 60))
    }
}
