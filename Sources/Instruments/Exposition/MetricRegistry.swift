import Synchronization

/// Where everything is counted that is counted as it happens, and what is asked for only when somebody scrapes.
public final class MetricRegistry: Sendable {
    /// Fills in what is known elsewhere, at a scrape.
    public typealias Collector = @Sendable (inout MetricSet) -> Void

    private let counted = Mutex(MetricSet())
    private let collectors = Mutex<[Collector]>([])

    public init() {}

    /// Changes what is counted here. The body must be short.
    public func update<Result: Sendable>(_ body: (inout MetricSet) -> Result) -> Result {
        counted.withLock { set in body(&set) }
    }

    /// From now on asked at every scrape, from any thread.
    public func add(_ collector: @escaping Collector) {
        collectors.withLock { $0.append(collector) }
    }

    /// Everything, as of now.
    public var snapshot: MetricSet {
        var set = counted.withLock { $0 }
        for collector in collectors.withLock({ $0 }) { collector(&set) }
        return set
    }

    /// What a scrape gets, in the format `PrometheusText.mediaType`.
    public var text: String { PrometheusText.render(snapshot) }
}
