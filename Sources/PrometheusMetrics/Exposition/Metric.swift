/// The description of a metric: what its HELP and TYPE lines say.
package struct Metric: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Never falls and starts at 0 with the process. Its name ends in `_total`.
        case counter
        case gauge
        /// Counts values up to each bound. The bounds rise.
        case histogram(buckets: [Double])
    }

    /// With its unit at the end: `beacond_content_ready_seconds`.
    package var name: String
    package var kind: Kind
    package var help: String
    /// The names of its labels, in the order in which they are written.
    package var labels: [String]

    package init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// The exposed names; a histogram has three.
    package var exposedNames: [String] {
        switch kind {
        case .counter, .gauge: [name]
        case .histogram: ["\(name)_bucket", "\(name)_sum", "\(name)_count"]
        }
    }
}

/// A label and its value. The value may contain any characters.
package struct MetricLabel: Hashable, Sendable, Comparable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}
