/// Which problems with the broker are news: each once until the connection has lasted, however often it is tried.
package struct BrokerProblems: Sendable {
    private var told: Set<BrokerProblem> = []

    package init() {}

    /// Whether a problem is to be told.
    package mutating func isNews(_ problem: BrokerProblem) -> Bool {
        told.insert(problem).inserted
    }

    /// The connection has lasted. Returns whether that is to be told.
    package mutating func settle() -> Bool {
        defer { told = [] }
        return !told.isEmpty
    }
}
