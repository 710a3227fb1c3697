import Synchronization

/// Holds the counters that change with events, and the collectors that are called at each scrape.
package final class MetricRegistry: Sendable {
    /// Adds values that are known elsewhere.
    package typealias Collector = @Sendable (inout MetricSet) -> Void

    private let counted = Mutex(MetricSet())
    private let collectors = Mutex<[Collector]>([])

    package init() {}

    /// Changes the counters. The body must be short.
    package func update<Result: Sendable>(_ body: (inout MetricSet) -> Result) -> Result {
        counted.withLock { set in body(&set) }
    }

    /// Adds a collector, which is called at every scrape, from any thread.
    package func add(_ collector: @escaping Collector) {
        collectors.withLock { $0.append(collector) }
    }

    /// All current values.
    package var snapshot: MetricSet {
        var set = counted.withLock { $0 }
        for collector in collectors.withLock({ $0 }) { collector(&set) }
        return set
    }

    /// The answer to a scrape, in the format `PrometheusText.mediaType`.
    package var text: String { PrometheusText.render(snapshot) }
}
