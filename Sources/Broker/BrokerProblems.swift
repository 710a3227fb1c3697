/// Decides which problems with the broker are reported: each only once until a connection has lasted.
package struct BrokerProblems: Sendable {
    private var told: Set<BrokerProblem> = []

    package init() {}

    /// Whether to report a problem.
    package mutating func isNews(_ problem: BrokerProblem) -> Bool {
        told.insert(problem).inserted
    }

    /// The connection has lasted. Returns whether to report that.
    package mutating func settle() -> Bool {
        defer { told = [] }
        return !told.isEmpty
    }
}
