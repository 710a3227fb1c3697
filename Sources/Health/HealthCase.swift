import Ranging

/// The evidence for one problem of one beacon, minute by minute: a cumulative sum (Page, "Continuous inspection
/// schemes", Biometrika 41, 1954). The problem is reported when the sum reaches `limit`, and has ended when the sum is
/// back at 0.
struct HealthCase: Hashable, Sendable {
    private(set) var score = 0.0
    /// When the score left 0, in minutes since 1970.
    private(set) var since: Int64 = 0
    private(set) var problem: HealthProblem?

    /// Whether it has evidence or a problem.
    var isOpen: Bool { score > 0 || problem != nil }

    static let limit = 4.0
    static let most = 6.0
    /// The most that one minute counts.
    static let step = 3.0

    enum News {
        case began(HealthProblem)
        case ended(HealthProblem)
    }

    /// - Parameters:
    ///   - evidence: of this minute: positive for the problem, negative against it, nil for neither.
    ///   - words: the evidence for people.
    mutating func weigh(
        _ kind: HealthProblem.Kind, _ evidence: Double?, at minute: Int64,
        words: @autoclosure () -> String
    ) -> News? {
        guard let evidence, evidence != 0 else { return nil }
        let before = score
        score = (score + evidence.clamped(to: -Self.step...Self.step)).clamped(to: 0...Self.most)
        if before == 0 { since = minute }
        if problem == nil, score >= Self.limit {
            let new = HealthProblem(kind: kind, since: since * 60, evidence: words())
            problem = new
            return .began(new)
        }
        return score == 0 ? end() : nil
    }

    /// Starts the problem at once: there is no doubt.
    ///
    /// - Parameter since: seconds since 1970.
    mutating func settle(
        _ kind: HealthProblem.Kind, since: Int64, words: @autoclosure () -> String
    ) -> News? {
        guard problem == nil else { return nil }
        let new = HealthProblem(kind: kind, since: since, evidence: words())
        adopt(new)
        return .began(new)
    }

    /// Ends the problem, whatever the evidence.
    mutating func end() -> News? {
        score = 0
        defer { problem = nil }
        return problem.map(News.ended)
    }

    /// Continues with a problem that another judge has reported.
    mutating func adopt(_ known: HealthProblem) {
        problem = known
        score = Self.most
        since = known.since / 60
    }
}
