import CoreMetrics
import PrometheusMetrics
import Testing
import TestSupport

@Suite("The Prometheus text format", .timeLimit(.minutes(10)))
struct ExpositionTests {
    private let counter = Metric("test_things_total", .counter, "Things.\nWith a \\ in them.", labels: ["kind"])
    private let gauge = Metric("test_level", .gauge, "A level.")
    private let histogram = Metric("test_wait_seconds", .histogram(buckets: [0.1, 1]), "Waits.")

    @Test("has HELP and TYPE before the samples, families by name, series by their labels")
    func order() {
        var set = MetricSet()
        set.add(2, to: counter, [MetricLabel("kind", "b")])
        set.add(1, to: counter, [MetricLabel("kind", "a")])
        set.set(gauge, to: 0.5)
        #expect(
            PrometheusText.render(set) == """
                # HELP test_level A level.
                # TYPE test_level gauge
                test_level 0.5
                # HELP test_things_total Things.\\nWith a \\\\ in them.
                # TYPE test_things_total counter
                test_things_total{kind="a"} 1
                test_things_total{kind="b"} 2

                """)
    }

    @Test("a histogram's buckets include those below them, and the last has all")
    func buckets() {
        var set = MetricSet()
        for value in [0.05, 0.1, 0.5, 7] { set.observe(value, in: histogram) }
        let text = PrometheusText.render(set)
        #expect(
            text.hasSuffix(
                """
                test_wait_seconds_bucket{le="0.1"} 2
                test_wait_seconds_bucket{le="1"} 3
                test_wait_seconds_bucket{le="+Inf"} 4
                test_wait_seconds_sum 7.65
                test_wait_seconds_count 4

                """), "\(text)")
    }

    @Test("a counter does not fall, and a name keeps the kind that it was first used with")
    func kinds() {
        var set = MetricSet()
        set.add(3, to: counter)
        set.add(-2, to: counter)
        set.set(Metric(counter.name, .gauge, "Something else."), to: 99)
        set.observe(1, in: Metric(counter.name, .histogram(buckets: [1]), "Something else."))
        #expect(set.value(of: counter) == 3)
    }

    @Test("values that are no numbers are written as Prometheus reads them")
    func special() {
        for (value, text) in [
            (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (1e20, "1e+20"), (-0.25, "-0.25"),
        ] {
            var set = MetricSet()
            set.set(gauge, to: value)
            #expect(PrometheusText.render(set).hasSuffix("test_level \(text)\n"))
        }
    }

    @Test("a metric takes a bounded number of label combinations")
    func bounded() {
        var set = MetricSet()
        for number in 0..<5000 { set.add(to: counter, [MetricLabel("kind", "\(number)")]) }
        #expect(PrometheusText.render(set).split(separator: "\n").count <= 1002)
        set.add(to: counter, [MetricLabel("kind", "0")])
        #expect(set.value(of: counter, [MetricLabel("kind", "0")]) == 2, "what is known goes on being counted")
    }

    @Test(
        "Prometheus' own client reads what anybody may call a beacon",
        .enabled(if: WebPeers.absence == nil, "\(WebPeers.absence ?? "")"))
    func readByOthers() async throws {
        var generator = SeededGenerator(seed: 7)
        let alphabet: [String] = [
            "\"", "\\", "\n", "{", "}", ",", "=", " ", "é", "鯨", "🐋", "\\n", "a", "#", "\r", "\u{0}", "\u{85}",
        ]
        let names = (0..<200).map { number in
            "\(number)" + (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? ""
            }.joined()
        }
        let registry = MetricRegistry()
        registry.update { set in
            for name in names { set.add(to: counter, [MetricLabel("kind", name)]) }
            set.observe(0.3, in: histogram)
            set.set(gauge, to: .nan)
        }
        let families = try await WebPeers.metrics(in: registry.text)
        #expect(families.map(\.name) == ["test_level", "test_things", "test_wait_seconds"])
        #expect(families.map(\.type) == ["gauge", "counter", "histogram"])
        let read = Set(try #require(families.dropFirst().first).samples.compactMap { $0.labels["kind"] })
        // Control characters other than the line feed are replaced.
        let expected = Set(
            names.map { name in
                String(
                    String.UnicodeScalarView(
                        name.unicodeScalars.map {
                            $0 != "\n" && $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
                        }))
            })
        #expect(read == expected)
    }
}

@Suite("swift-metrics' backend")
struct FactoryTests {
    private let registry = MetricRegistry()
    private var factory: RegistryMetricsFactory { RegistryMetricsFactory(registry) }

    @Test("counters, gauges, recorders and timers of any library appear")
    func kinds() {
        Counter(label: "hb.requests", dimensions: [("path", "/a\"b")], factory: factory).increment(by: 2)
        FloatingPointCounter(label: "test_cost", factory: factory).increment(by: 0.5)
        let meter = Meter(label: "test-level", factory: factory)
        meter.set(5)
        meter.increment(by: 2)
        meter.decrement(by: 1)
        Recorder(label: "test_size", aggregate: true, factory: factory).record(50)
        Gauge(label: "test_gauge", factory: factory).record(4)
        Timer(label: "test_wait", factory: factory).recordSeconds(0.002)
        let text = registry.text
        #expect(text.contains("hb_requests_total{path=\"/a\\\"b\"} 2\n"), "\(text)")
        #expect(text.contains("test_cost_total 0.5\n"))
        #expect(text.contains("test_level 6\n"))
        #expect(text.contains("test_size_bucket{le=\"100\"} 1\n"))
        #expect(text.contains("test_gauge 4\n"))
        #expect(text.contains("test_wait_seconds_sum 0.002\n"))
    }

    @Test("the same label is the same series, whoever makes it")
    func shared() {
        for _ in 0..<3 {
            Counter(label: "test_total", dimensions: [("b", "1"), ("a", "2")], factory: factory).increment()
        }
        Counter(label: "test_total", dimensions: [("a", "2"), ("b", "1")], factory: factory).increment()
        #expect(registry.text.contains("test_total{a=\"2\",b=\"1\"} 4\n"))
    }

    @Test("a label that the catalogue has gets its help and its buckets from there")
    func catalogued() {
        Timer(label: Metric.httpDuration.name, dimensions: [("route", "/")], factory: factory).recordMilliseconds(3)
        #expect(registry.text.contains("# HELP \(Metric.httpDuration.name) \(Metric.httpDuration.help)\n"))
        #expect(registry.text.contains("le=\"0.005\"} 1\n"))
    }

    @Test("names are made what Prometheus takes", arguments: ["", "9lives", "__name__", "a b", "ünïcode", "a{b}\n"])
    func names(label: String) throws {
        Counter(label: label, dimensions: [(label, "x")], factory: factory).increment()
        let line = try #require(registry.text.split(separator: "\n").last)
        #expect(line.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*_total\{[a-zA-Z][a-zA-Z0-9_]*="x"\} 1/) != nil, "\(line)")
    }
}
