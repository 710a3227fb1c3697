/// What one check found.
public struct Finding: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable {
        case ok
        /// It works, but not as well as it could.
        case warning
        /// Listening does not work like this.
        case failure
    }

    /// What was looked at, in one or two words.
    public var check: String
    public var verdict: Verdict
    /// What is the case.
    public var detail: String
    /// What to do; empty where nothing is needed.
    public var remedy: String

    /// The same where listening works all the same.
    var lessened: Finding {
        var finding = self
        if verdict == .failure { finding.verdict = .warning }
        return finding
    }

    public init(_ check: String, _ verdict: Verdict, _ detail: String, remedy: String = "") {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.remedy = remedy
    }
}
