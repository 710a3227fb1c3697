/// What is known about a metric before it has a value: the line that HELP and TYPE tell.
public struct Metric: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Only rises; begins at 0 with the process. Its name ends in `_total`.
        case counter
        case gauge
        /// Counts values up to each bound, the bounds rising.
        case histogram(buckets: [Double])
    }

    /// With its unit at the end: `beacond_content_ready_seconds`.
    public var name: String
    public var kind: Kind
    public var help: String
    /// The names of its labels, in the order in which they are written.
    public var labels: [String]

    public init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// The names under which it is exposed: a histogram has three.
    public var exposedNames: [String] {
        switch kind {
        case .counter, .gauge: [name]
        case .histogram: ["\(name)_bucket", "\(name)_sum", "\(name)_count"]
        }
    }
}

/// A label and its value, which may hold anything.
public struct MetricLabel: Hashable, Sendable, Comparable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}
