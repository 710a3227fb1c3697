package import Beacon
package import Text

extension RoomReport {
    /// The maximum number of buckets in a series.
    private static let mostBuckets = 96

    /// - Parameters:
    ///   - stays: in any order. Only the parts inside the span count.
    ///   - problems: of any beacons, in any order.
    ///   - localTime: the zone for the hours of the day.
    package init(
        of stays: [RoomStay], _ problems: [ReportedProblem] = [], span: ClosedRange<Timestamp>,
        names: KnownBeacons = KnownBeacons(), localTime: LocalTime = .current
    ) {
        self.init(span: span)
        let width = max(1, (span.seconds / Double(Self.mostBuckets)).rounded(.up))
        bucketSeconds = width
        let buckets = max(1, Int((span.seconds / width).rounded(.up)))
        let hours = HoursOfDay(span, localTime)
        var found: [ReportedRoom: Room] = [:]
        var visitors: [ReportedRoom: Set<BeaconID>] = [:]
        var inhabitants: [BeaconID: Inhabitant] = [:]
        for stay in stays.sorted(by: { ($0.span.lowerBound, $0.beacon) < ($1.span.lowerBound, $1.beacon) }) {
            guard stay.span.overlaps(span), stay.span.lowerBound < span.upperBound else { continue }
            var clipped = stay
            clipped.span = stay.span.clamped(to: span)
            let nobody = Inhabitant(id: stay.beacon, name: names.name(of: stay.beacon))
            inhabitants[stay.beacon, default: nobody].stays.append(clipped)
            visitors[stay.room, default: []].insert(stay.beacon)
            var room = found.removeValue(forKey: stay.room) ?? Room(room: stay.room)
            if room.presence.isEmpty { room.presence = Array(repeating: 0, count: buckets) }
            room.visits.visits.append(clipped.span)
            // A stay that began before the report did not begin in any hour.
            if stay.span.lowerBound >= span.lowerBound {
                room.visits.byHour[localTime.parts(of: stay.span.lowerBound).hour] += 1
            }
            hours.add(clipped.span, to: &room.secondsByHour)
            Self.spread(clipped.span, from: span.lowerBound, width: width, over: &room.presence)
            found[stay.room] = room
        }
        rooms = found.values.map { room in
            var room = room
            room.beacons = visitors[room.room]?.count ?? 0
            room.presence = room.presence.map { $0 / width }
            return room
        }.sorted { ($1.visits.seconds, $0.room) < ($0.visits.seconds, $1.room) }
        beacons = inhabitants.values.map(Self.finished)
            .sorted { ($1.seconds, $0.id) < ($0.seconds, $1.id) }
        transitions = Self.ways(of: beacons)
        health = ReportedProblem.of(span, problems, names: names.name)
    }

    /// The report limited to some of its beacons.
    ///
    /// - Throws: if no beacon matches; the failure lists the beacons in the report. Does not throw if the report
    ///   covers only a time before the history begins.
    package func only(_ filter: BeaconFilter, localTime: LocalTime = .current) throws(BeaconQuery.Failure) -> RoomReport
    {
        guard !filter.isEmpty, !isBeforeHistory else { return self }
        var names: [BeaconID: String] = [:]
        for beacon in beacons { names[beacon.id] = beacon.name }
        for problem in health { names[problem.beacon] = problem.name }
        try filter.require(among: beacons.map(\.id) + health.map(\.beacon), names: names)
        let kept = beacons.filter { filter.contains($0.id, name: $0.name) }
        var report = RoomReport(
            of: kept.flatMap(\.stays), span: span, names: KnownBeacons(names: names), localTime: localTime)
        report.isCut = isCut
        report.historyBegins = historyBegins
        report.health = health.filter { filter.contains($0.beacon, name: $0.name) }
        return report
    }

    private static func finished(_ inhabitant: Inhabitant) -> Inhabitant {
        var inhabitant = inhabitant
        var rooms: [ReportedRoom: VisitHistory] = [:]
        for stay in inhabitant.stays { rooms[stay.room, default: VisitHistory()].visits.append(stay.span) }
        inhabitant.rooms = rooms.map { (room: $0, visits: $1) }
            .sorted { ($1.visits.seconds, $0.room) < ($0.visits.seconds, $1.room) }
        return inhabitant
    }

    /// The ways between rooms. If a beacon was in no room for a longer time in between, the change does not count as a
    /// way.
    private static func ways(of beacons: [Inhabitant]) -> [Way] {
        struct Ends: Hashable {
            var from: ReportedRoom
            var to: ReportedRoom
        }
        var counts: [Ends: Int] = [:]
        for beacon in beacons {
            for (last, next) in zip(beacon.stays, beacon.stays.dropFirst())
            where last.room != next.room
                && next.span.lowerBound.elapsed(since: last.span.upperBound) <= ReportAssembly.longestTransition
            {
                counts[Ends(from: last.room, to: next.room), default: 0] += 1
            }
        }
        return counts.map { Way(from: $0.from, to: $0.to, count: $1) }
            .sorted { ($1.count, $0.from, $0.to) < ($0.count, $1.from, $1.to) }
    }

    /// Adds the seconds of a stay to each bucket that it touches.
    private static func spread(
        _ span: ClosedRange<Timestamp>, from begin: Timestamp, width: Double, over buckets: inout [Double]
    ) {
        let (first, last) = (span.lowerBound.elapsed(since: begin), span.upperBound.elapsed(since: begin))
        var bucket = max(0, min(buckets.count - 1, Int(first / width)))
        while bucket < buckets.count, Double(bucket) * width < last {
            let (low, high) = (max(first, Double(bucket) * width), min(last, Double(bucket + 1) * width))
            buckets[bucket] += max(0, high - low)
            bucket += 1
        }
    }
}

/// The hour of the day for each quarter of an hour in a span, so that the calendar is used only once for each.
private struct HoursOfDay {
    private let begin: Timestamp
    private let hours: [Int]

    private static let quarter = 900.0
    /// The number of quarters of an hour in two years.
    private static let most = 70_000

    init(_ span: ClosedRange<Timestamp>, _ localTime: LocalTime) {
        begin = Timestamp(seconds: (span.lowerBound.seconds / Self.quarter).rounded(.down) * Self.quarter)
        let count = min(Double(Self.most), (span.upperBound.elapsed(since: begin) / Self.quarter).rounded(.up))
        let begin = begin
        hours = (0..<max(1, Int(count))).map { index in
            localTime.parts(of: begin.advanced(bySeconds: Double(index) * Self.quarter)).hour
        }
    }

    func add(_ span: ClosedRange<Timestamp>, to seconds: inout [Double]) {
        let (first, last) = (span.lowerBound.elapsed(since: begin), span.upperBound.elapsed(since: begin))
        var index = max(0, Int(first / Self.quarter))
        while index < hours.count, Double(index) * Self.quarter < last {
            let (low, high) = (max(first, Double(index) * Self.quarter), min(last, Double(index + 1) * Self.quarter))
            seconds[hours[index]] += max(0, high - low)
            index += 1
        }
    }
}
