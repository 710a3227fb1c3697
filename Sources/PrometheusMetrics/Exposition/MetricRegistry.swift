import Synchronization

/// Where everything is counted that is counted as it happens, and what is asked for only when somebody scrapes.
package final class MetricRegistry: Sendable {
    /// Fills in what is known elsewhere, at a scrape.
    package typealias Collector = @Sendable (inout MetricSet) -> Void

    private let counted = Mutex(MetricSet())
    private let collectors = Mutex<[Collector]>([])

    package init() {}

    /// Changes what is counted here. The body must be short.
    package func update<Result: Sendable>(_ body: (inout MetricSet) -> Result) -> Result {
        counted.withLock { set in body(&set) }
    }

    /// From now on asked at every scrape, from any thread.
    package func add(_ collector: @escaping Collector) {
        collectors.withLock { $0.append(collector) }
    }

    /// Everything, as of now.
    package var snapshot: MetricSet {
        var set = counted.withLock { $0 }
        for collector in collectors.withLock({ $0 }) { collector(&set) }
        return set
    }

    /// What a scrape gets, in the format `PrometheusText.mediaType`.
    package var text: String { PrometheusText.render(snapshot) }
}
