package import CoreMetrics

/// The backend for swift-metrics: puts what the daemon or a library measures through it into the registry.
///
///     MetricsSystem.bootstrap(RegistryMetricsFactory(registry))
///     Counter(label: "beacond_http_requests_total", dimensions: [("status", "200")]).increment()
///
/// A label in the catalogue takes its help and buckets from there. Any other is turned into a valid Prometheus name:
/// `hb.requests` becomes `hb_requests_total`.
package struct RegistryMetricsFactory: MetricsFactory {
    private let registry: MetricRegistry
    private let catalogue: [String: Metric]

    package init(_ registry: MetricRegistry, catalogue: [Metric] = Metric.all) {
        self.registry = registry
        self.catalogue = Dictionary(catalogue.map { ($0.name, $0) }) { first, _ in first }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter, suffix: "_total")
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter, suffix: "_total")
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .histogram(buckets: Metric.sizes) : .gauge)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram(buckets: Metric.latencies), suffix: "_seconds")
    }

    // A destroyed counter keeps its value, because it must not start at 0 again.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func series(
        _ label: String, _ dimensions: [(String, String)], _ kind: Metric.Kind, suffix: String = ""
    ) -> Series {
        let name = Self.name(label, suffix: suffix)
        let metric = catalogue[name] ?? Metric(name, kind, "Measured by a library.")
        let labels = dimensions.map { MetricLabel(Self.name($0.0, allowsColons: false), $0.1) }.sorted()
        return Series(registry: registry, metric: metric, labels: labels)
    }

    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`. Labels have no colons, and names that start with two underscores are reserved for
    /// Prometheus.
    static func name(_ label: String, suffix: String = "", allowsColons: Bool = true) -> String {
        var name = ""
        for scalar in label.unicodeScalars {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            name.unicodeScalars.append(isPlain || allowsColons && scalar == ":" ? scalar : "_")
        }
        if name.first.map({ $0.isNumber || $0 == "_" }) ?? true {
            name = "x_" + name.drop { $0 == "_" }
        }
        return suffix.isEmpty || name.hasSuffix(suffix) ? name : name + suffix
    }
}

/// One series, in the form that swift-metrics uses.
private final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let registry: MetricRegistry
    private let metric: Metric
    private let labels: [MetricLabel]

    init(registry: MetricRegistry, metric: Metric, labels: [MetricLabel]) {
        self.registry = registry
        self.metric = metric
        self.labels = labels
    }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { set(0.0) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { registry.update { $0.set(metric, labels, to: value) } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        registry.update { set in
            if case .histogram = metric.kind {
                set.observe(value, in: metric, labels)
            } else {
                set.set(metric, labels, to: value)
            }
        }
    }

    private func add(_ amount: Double) {
        registry.update { $0.add(amount, to: metric, labels) }
    }
}
