/// The result of one check.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
        case ok
        /// It works, but not as well as it could.
        case warning
        /// Listening does not work.
        case failure
    }

    /// The name of the check, in one or two words.
    package var check: String
    package var verdict: Verdict
    /// What was found.
    package var detail: String
    /// What the user can do; empty if nothing is needed.
    package var remedy: String

    /// The same as a warning, for a problem that does not prevent listening.
    package var lessened: Finding {
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
