/// The text format 0.0.4 of Prometheus (prometheus.io/docs/instrumenting/exposition_formats).
package enum PrometheusText {
    /// The media type of the answer to a scrape.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// All families sorted by name, each with HELP and TYPE before its samples.
    package static func render(_ set: MetricSet) -> String {
        var text = ""
        for family in set.families.values.sorted(by: { $0.metric.name < $1.metric.name }) where !family.samples.isEmpty
        {
            write(family, into: &text)
        }
        return text
    }

    private static func write(_ family: MetricSet.Family, into text: inout String) {
        let metric = family.metric
        text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
        text += "# TYPE \(metric.name) \(typeName(metric.kind))\n"
        for (labels, sample) in family.samples.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            switch (sample, metric.kind) {
            case (.number(let value), _):
                text += "\(metric.name)\(braces(labels)) \(number(value))\n"
            case (.histogram(let histogram), .histogram(let buckets)):
                write(histogram, buckets, metric.name, labels, into: &text)
            case (.histogram, _):
                break
            }
        }
    }

    /// A bucket counts all values up to its bound; the last one counts all.
    private static func write(
        _ histogram: MetricSet.Histogram, _ buckets: [Double], _ name: String, _ labels: [MetricLabel],
        into text: inout String
    ) {
        var count = 0
        for (bound, inBucket) in zip(buckets.map(number) + ["+Inf"], histogram.counts) {
            count += inBucket
            text += "\(name)_bucket\(braces(labels + [MetricLabel("le", bound)])) \(count)\n"
        }
        text += "\(name)_sum\(braces(labels)) \(number(histogram.sum))\n"
        text += "\(name)_count\(braces(labels)) \(count)\n"
    }

    private static func typeName(_ kind: Metric.Kind) -> String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func braces(_ labels: [MetricLabel]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
    }

    /// In the syntax of Go's ParseFloat.
    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && value.magnitude < 9e15 ? "\(Int64(value))" : "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            // Control characters are allowed, but useless in a label, and some readers take them for the end of a line.
            case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
