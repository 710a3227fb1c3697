package import Beacon
import Text

/// Builds a report from what was recorded. Intervals must be added in order of their start; spans in any order.
package struct ReportAssembly: Sendable {
    private let span: ClosedRange<Timestamp>
    private let width: Int64
    private let lag: Int64
    /// The start of the first bucket's first interval. It may be before the span.
    private let first: Timestamp
    private let localTime: LocalTime
    private let maximumBeacons: Int
    private var slots: [BeaconID: Int] = [:]
    private var entries: [Entry] = []
    private var recording: [ClosedRange<Timestamp>] = []
    private var blind: [ClosedRange<Timestamp>] = []
    private var visits: [BeaconID: [ClosedRange<Timestamp>]] = [:]
    private var nearest: [(id: BeaconID, span: ClosedRange<Timestamp>)] = []
    private var regions: [String: [ClosedRange<Timestamp>]] = [:]
    private var hours: [RecordedSpan.Subject: [Int]] = [:]
    private var syncs: [SyncResult] = []
    private var problems: [ReportedProblem] = []
    private var dropped = 0
    private var isAbout = false

    /// Seconds. After a longer time without a nearest beacon, the next nearest one does not count as a transition.
    static let longestTransition = 60.0
    /// The report lists at most this many problems of the whole site.
    private static let mostSiteResults = 20

    /// - Parameters:
    ///   - buckets: the greatest number of buckets in a series. There may be one more, because buckets begin and end
    ///     with an interval.
    ///   - resolution: seconds. The length of the added intervals, which start at its multiples. No bucket is shorter.
    ///   - lag: microseconds. An interval's sightings may be earlier by this than the interval.
    ///   - localTime: the zone for the hours of the day.
    package init(
        span: ClosedRange<Timestamp>, buckets: Int = 144, resolution: Int = 1, lag: Int64 = 0,
        localTime: LocalTime = .current, maximumBeacons: Int = 10_000
    ) {
        self.span = span
        self.lag = lag
        self.localTime = localTime
        self.maximumBeacons = maximumBeacons
        // Whole intervals, so that each bucket holds the same number of them.
        let intervals = (span.seconds / Double(max(1, buckets)) / Double(max(1, resolution))).rounded(.up)
        width = Int64(min(max(1, intervals) * Double(max(1, resolution)), 1e12)) * 1_000_000
        first = Timestamp(microseconds: span.lowerBound.microseconds.addingClamped(lag))
            .floored(to: Int64(min(max(1, resolution), 1_000_000_000_000)) * 1_000_000)
    }

    /// Adds what was received from a beacon in an interval. Only the part inside the report's span counts.
    package mutating func add(_ interval: BeaconInterval) {
        guard let part = interval.clipped(to: span) else { return }
        isAbout = isAbout || part.count != interval.count
        add(part: part)
    }

    private mutating func add(part interval: BeaconInterval) {
        let slot: Int
        if let known = slots[interval.id] {
            slot = known
        } else if entries.count < maximumBeacons {
            slot = entries.count
            slots[interval.id] = slot
            entries.append(Entry(history: BeaconHistory(id: interval.id, at: interval.firstSeen)))
        } else {
            dropped += interval.count
            return
        }
        entries[slot].add(interval, bucket: bucket(of: interval.start))
    }

    /// Adds a span. The parts outside of the report's span are cut off.
    package mutating func add(_ recorded: RecordedSpan) {
        guard let clipped = recorded.clipped(to: span) else { return }
        let range = clipped.begin...clipped.end
        // A span that began before the report does not count as begun in any hour.
        if recorded.begin >= span.lowerBound {
            hours[recorded.subject, default: VisitHistory().byHour][localTime.parts(of: recorded.begin).hour] += 1
        }
        switch recorded.subject {
        case .recording: recording.append(range)
        case .blind: blind.append(range)
        case .visit(let id): visits[id, default: []].append(range)
        case .nearest(let id): nearest.append((id, range))
        case .region(let name): regions[name, default: []].append(range)
        }
    }

    /// Adds the result of a sync.
    package mutating func add(_ result: SyncResult) {
        if span.contains(result.time) { syncs.append(result) }
    }

    /// Adds a problem of a beacon. The same problem may be added several times, each time with another end.
    package mutating func add(_ problem: ReportedProblem) {
        if problems.count < 4 * ReportedProblem.most { problems.append(problem) }
    }

    /// Adds to the number of sightings that no interval holds.
    package mutating func add(dropped count: Int) {
        dropped += max(0, count)
    }

    private func bucket(of time: Timestamp) -> Int {
        let offset = time.microseconds.subtractingClamped(first.microseconds)
        return min(max(0, Int(offset / width)), bucketCount - 1)
    }

    private var bucketCount: Int {
        max(1, Int((span.upperBound.elapsed(since: seriesBegin) * 1_000_000 / Double(width)).rounded(.up)))
    }

    private var seriesBegin: Timestamp { Timestamp(microseconds: first.microseconds.subtractingClamped(lag)) }

    /// The report on everything added so far.
    package func report(names: [BeaconID: String] = [:]) -> HistoryReport {
        var report = HistoryReport()
        report.span = span
        report.seriesBegin = seriesBegin
        report.bucketSeconds = Double(width) / 1_000_000
        report.dropped = dropped
        report.isAbout = isAbout
        report.scanner.recording = recording.sorted { $0.lowerBound < $1.lowerBound }
        report.scanner.blind = blind.sorted { $0.lowerBound < $1.lowerBound }
        let blindTime = BlindTime(report.scanner.blind)
        let held = nearest.sorted { $0.span.lowerBound < $1.span.lowerBound }
        let allHeld = held.reduce(0) { $0 + $1.span.seconds - blindTime.seconds(in: $1.span) }
        let heldBy = Dictionary(grouping: held, by: \.id)
        report.beacons = entries.map { entry in
            var beacon = entry.finished(buckets: bucketCount)
            beacon.name = names[beacon.id]
            beacon.visits = visitHistory(visits[beacon.id] ?? [], .visit(beacon.id), blindTime)
            beacon.nearest = visitHistory(
                (heldBy[beacon.id] ?? []).map(\.span), .nearest(beacon.id), blindTime)
            beacon.nearestShare = allHeld > 0 ? beacon.nearest.seconds / allHeld : nil
            report.count += beacon.count
            return beacon
        }
        report.beacons.sort {
            let (left, right) = ($0.visits.seconds, $1.visits.seconds)
            return left != right ? left > right : $0.id < $1.id
        }
        report.regions = regions.map { name, spans in
            var region = RegionHistory(name: name)
            region.visits = visitHistory(spans, .region(name), blindTime)
            return region
        }.sorted { ($1.visits.seconds, $0.name) < ($0.visits.seconds, $1.name) }
        report.transitions = Self.transitions(held)
        report.content = contentHistory(names)
        report.health = ReportedProblem.of(span, problems) { names[$0] }
        return report
    }

    private func visitHistory(
        _ spans: [ClosedRange<Timestamp>], _ subject: RecordedSpan.Subject, _ blindTime: BlindTime
    ) -> VisitHistory {
        var history = VisitHistory()
        history.visits = spans.sorted { $0.lowerBound < $1.lowerBound }
        let blind = history.visits.map(blindTime.seconds)
        if blind.contains(where: { $0 > 0 }) { history.blindSeconds = blind }
        history.byHour = hours[subject] ?? history.byHour
        return history
    }

    private static func transitions(_ held: [(id: BeaconID, span: ClosedRange<Timestamp>)]) -> [Transition] {
        struct Way: Hashable {
            var from: BeaconID
            var to: BeaconID
        }
        var counts: [Way: Int] = [:]
        for (last, next) in zip(held, held.dropFirst())
        where last.id != next.id && next.span.lowerBound.elapsed(since: last.span.upperBound) <= longestTransition {
            counts[Way(from: last.id, to: next.id), default: 0] += 1
        }
        return counts.map { Transition(from: $0.from, to: $0.to, count: $1) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : ($0.from, $0.to) < ($1.from, $1.to)
        }
    }

    private func contentHistory(_ names: [BeaconID: String]) -> ContentHistory {
        var history = ContentHistory()
        var entries: [BeaconID?: ContentHistory.Entry] = [:]
        for sync in syncs.sorted(by: { $0.time < $1.time }) {
            if sync.outcome == .site {
                history.site.append(sync)
                continue
            }
            var entry = entries[sync.beacon] ?? .init(beacon: sync.beacon, name: sync.beacon.flatMap { names[$0] })
            switch sync.outcome {
            case .ready: entry.ready += 1
            case .nothing: entry.nothing += 1
            case .failed: entry.failed += 1
            case .waiting: entry.waiting += 1
            case .site: break
            }
            entry.fetchedBytes += sync.fetchedBytes
            if sync.outcome == .failed, let text = sync.text {
                entry.lastProblem = text
                entry.lastProblemTime = sync.time
            }
            entries[sync.beacon] = entry
        }
        history.site = history.site.suffix(Self.mostSiteResults)
        history.beacons = entries.values.sorted { left, right in
            guard let first = left.beacon, let second = right.beacon else { return left.beacon != nil }
            return first < second
        }
        return history
    }
}

extension ReportAssembly {
    /// One beacon while the report is built. Keeps only the distributions of the whole span and of the last bucket.
    private struct Entry {
        var history: BeaconHistory
        private var levels = Histogram()
        private var distances = Histogram()
        private var series: [(index: Int, bucket: BeaconBucket)] = []
        private var current = 0
        private var currentCount = 0
        private var currentLevels = Histogram()
        private var currentDistances = Histogram()
        private var weight = 0.0
        private var low = 0.0
        private var high = 0.0

        init(history: BeaconHistory) {
            self.history = history
        }

        mutating func add(_ interval: BeaconInterval, bucket: Int) {
            history.count += interval.count
            history.firstSeen = min(history.firstSeen, interval.firstSeen)
            if interval.lastSeen >= history.lastSeen {
                history.lastSeen = interval.lastSeen
                history.measuredPower = interval.measuredPower
            }
            levels.merge(interval.levels)
            distances.merge(interval.distances)
            if bucket > current { close(before: bucket) }
            currentCount += interval.count
            currentLevels.merge(interval.levels)
            currentDistances.merge(interval.distances)
            if let range = interval.distanceRange {
                let share = Double(max(1, interval.distances.total))
                weight += share
                low += share * range.lowerBound
                high += share * range.upperBound
            }
        }

        private mutating func close(before next: Int) {
            if currentCount > 0 || !currentDistances.isEmpty { series.append((current, bucket)) }
            current = next
            currentCount = 0
            currentLevels = Histogram()
            currentDistances = Histogram()
            (weight, low, high) = (0, 0, 0)
        }

        private var bucket: BeaconBucket {
            var bucket = BeaconBucket(count: currentCount)
            if let quantiles = ReportAssembly.quantiles(currentLevels) {
                bucket.levels = (quantiles.p10, quantiles.median, quantiles.p90)
            }
            if let median = currentDistances.quantile(0.5).map(DistanceScale.metres), weight > 0 {
                bucket.distance = (min(low / weight, median), median, max(high / weight, median))
            }
            return bucket
        }

        func finished(buckets: Int) -> BeaconHistory {
            var entry = self
            entry.close(before: buckets)
            var history = entry.history
            history.rssi = ReportAssembly.quantiles(levels)
            if let p10 = distances.quantile(0.1), let median = distances.quantile(0.5),
                let p90 = distances.quantile(0.9)
            {
                history.distance = DistanceQuantiles(
                    p10: DistanceScale.metres(of: p10), median: DistanceScale.metres(of: median),
                    p90: DistanceScale.metres(of: p90))
            }
            history.series = [BeaconBucket](repeating: BeaconBucket(), count: buckets)
            for (index, bucket) in entry.series where index < buckets { history.series[index] = bucket }
            return history
        }
    }

    private static func quantiles(_ levels: Histogram) -> RSSIQuantiles? {
        guard !levels.isEmpty else { return nil }
        func level(_ share: Double) -> Int8 { Int8(clamping: levels.quantile(share) ?? 0) }
        return RSSIQuantiles(min: level(0), p10: level(0.1), median: level(0.5), p90: level(0.9), max: level(1))
    }
}
