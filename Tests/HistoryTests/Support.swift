import Beacon
import Health
import History
import Reports
import Settings
import TestSupport

func id(_ minor: UInt16) -> BeaconID {
    BeaconID(uuid: SimulatedDay.uuid, major: 1, minor: minor)
}

/// A minute of a beacon: a hundred readings about a level.
func minute(_ start: Int, _ minor: UInt16 = 1, level: Int = -60, random: inout SeededGenerator) -> BeaconInterval {
    var levels = Histogram()
    for _ in 0..<100 { levels.add(level + Int.random(in: -6...6, using: &random)) }
    var distances = Histogram()
    distances.add(DistanceScale.bin(of: 2), count: 60)
    let begin = Timestamp(seconds: Double(start))
    return BeaconInterval(
        id: id(minor), start: begin, seconds: 60, firstSeen: begin.advanced(bySeconds: 0.5),
        lastSeen: begin.advanced(bySeconds: 59.5), count: 100, measuredPower: -59, levels: levels, distances: distances,
        filteredLevel: Double(level), distanceRange: 1...3, presentSeconds: 60, nearestSeconds: 30)
}

func visit(_ number: Int, _ minor: UInt16 = 1, from: Int, to: Int) -> RecordedSpan {
    RecordedSpan(
        id: number, subject: .visit(id(minor)), begin: Timestamp(seconds: Double(from)),
        end: Timestamp(seconds: Double(to)))
}

func problem(_ minor: UInt16 = 1, since: Int, last: Int) -> ReportedProblem {
    ReportedProblem(
        beacon: id(minor), problem: HealthProblem(kind: .missing, since: Int64(since), evidence: "not heard for 5 min"),
        last: Timestamp(seconds: Double(last)))
}

extension HistoryStore {
    /// All of a span.
    func report(_ from: Int, _ to: Int) throws -> HistoryReport {
        let span = Timestamp(seconds: Double(from))...Timestamp(seconds: Double(to))
        var assembly = ReportAssembly(span: span, resolution: settings.interval, localTime: .utc)
        let names = try play(span, into: &assembly)
        return assembly.report(names: names)
    }
}
