/// Metrics with their values, for one scrape.
package struct MetricSet: Sendable {
    struct Family: Sendable {
        var metric: Metric
        var samples: [[MetricLabel]: Sample] = [:]
    }

    enum Sample: Sendable {
        case number(Double)
        case histogram(Histogram)
    }

    struct Histogram: Sendable {
        /// The number of values in each bucket, not including lower buckets. One more than there are bounds.
        var counts: [Int]
        var sum = 0.0
    }

    /// The most label combinations per metric. Some labels come from outside (paths, names), and must not fill the
    /// memory.
    static let seriesLimit = 1000

    private(set) var families: [String: Family] = [:]

    package init() {}

    /// Adds to a counter or a gauge.
    package mutating func add(_ value: Double = 1, to metric: Metric, _ labels: [MetricLabel] = []) {
        change(metric, labels) { sample in
            guard case .number(let old) = sample else { return }
            // A counter never falls, even where a caller passes a negative value.
            sample = .number(old + (metric.kind == .counter ? max(0, value) : value))
        }
    }

    /// Sets a gauge, or a counter that is counted elsewhere.
    package mutating func set(_ metric: Metric, _ labels: [MetricLabel] = [], to value: Double) {
        change(metric, labels) { sample in
            if case .number = sample { sample = .number(value) }
        }
    }

    /// Adds a value to a histogram.
    package mutating func observe(_ value: Double, in metric: Metric, _ labels: [MetricLabel] = []) {
        guard case .histogram(let buckets) = metric.kind, value.isFinite else { return }
        change(metric, labels) { sample in
            guard case .histogram(var histogram) = sample else { return }
            histogram.counts[buckets.firstIndex { value <= $0 } ?? buckets.count] += 1
            histogram.sum += value
            sample = .histogram(histogram)
        }
    }

    /// Removes one series.
    package mutating func remove(_ metric: Metric, _ labels: [MetricLabel]) {
        families[metric.name]?.samples[labels] = nil
    }

    /// The value of a counter or gauge; nil where it has none.
    package func value(of metric: Metric, _ labels: [MetricLabel] = []) -> Double? {
        if case .number(let value) = families[metric.name]?.samples[labels] { value } else { nil }
    }

    private mutating func change(_ metric: Metric, _ labels: [MetricLabel], _ body: (inout Sample) -> Void) {
        var family = families.removeValue(forKey: metric.name) ?? Family(metric: metric)
        defer { families[metric.name] = family }
        // The first use of a name decides its kind.
        guard family.metric.kind == metric.kind else { return }
        if family.samples[labels] == nil {
            guard family.samples.count < Self.seriesLimit else { return }
            family.samples[labels] =
                if case .histogram(let buckets) = metric.kind {
                    .histogram(Histogram(counts: Array(repeating: 0, count: buckets.count + 1)))
                } else {
                    .number(0)
                }
        }
        if var sample = family.samples[labels] {
            body(&sample)
            family.samples[labels] = sample
        }
    }
}
