/// The cases of one beacon that have a score or a problem. Nearly all beacons have none, so that those without
/// evidence take no memory.
struct OpenCases: Sendable {
    private var open: [HealthProblem.Kind: HealthCase] = [:]

    /// A case without evidence if there is no other one.
    private subscript(kind: HealthProblem.Kind) -> HealthCase {
        get { open[kind] ?? HealthCase() }
        set { open[kind] = newValue.isOpen ? newValue : nil }
    }

    /// The problems, in the order of their kinds.
    var problems: [HealthProblem] { open.values.compactMap(\.problem).sorted { $0.kind < $1.kind } }

    func hasProblem(_ kind: HealthProblem.Kind) -> Bool { open[kind]?.problem != nil }

    /// As `HealthCase.weigh`.
    mutating func weigh(
        _ kind: HealthProblem.Kind, _ evidence: Double?, at minute: Int64, words: @autoclosure () -> String
    ) -> HealthCase.News? {
        self[kind].weigh(kind, evidence, at: minute, words: words())
    }

    /// As `HealthCase.settle`.
    mutating func settle(
        _ kind: HealthProblem.Kind, since: Int64, words: @autoclosure () -> String
    ) -> HealthCase.News? {
        self[kind].settle(kind, since: since, words: words())
    }

    /// As `HealthCase.adopt`.
    mutating func adopt(_ known: HealthProblem) { self[known.kind].adopt(known) }

    /// Ends a problem, whatever the evidence.
    mutating func end(_ kind: HealthProblem.Kind) -> HealthCase.News? { self[kind].end() }

    /// Ends all problems, whatever the evidence.
    mutating func endAll() -> [HealthCase.News] {
        defer { open = [:] }
        return problems.map(HealthCase.News.ended)
    }
}
