/// What one check found.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
        case ok
        /// It works, but not as well as it could.
        case warning
        /// Listening does not work like this.
        case failure
    }

    /// What was looked at, in one or two words.
    package var check: String
    package var verdict: Verdict
    /// What is the case.
    package var detail: String
    /// What to do; empty where nothing is needed.
    package var remedy: String

    /// The same where listening works all the same.
    var lessened: Finding {
        var finding = self
        if verdict == .failure { finding.verdict = .warning }
        return finding
    }

    package init(_ check: String, _ verdict: Verdict, _ detail: String, remedy: String = "") {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.remedy = remedy
    }
}
