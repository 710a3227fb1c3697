/// Remembers the last reported refusal of a configuration, so that it is not reported twice: for the changed file, and
/// for the reload request that follows.
package struct RefusalMemory {
    private var told: (problems: [String], at: ContinuousClock.Instant)?

    package init() {}

    /// After this time a request is reported again.
    private static let span = Duration.seconds(30)

    /// Whether to report these problems; if so, it remembers them.
    ///
    /// - Parameter isAsked: a user asked for the reload; otherwise the file has changed.
    package mutating func isNews(_ problems: [String], isAsked: Bool, at now: ContinuousClock.Instant) -> Bool {
        if let told, told.problems == problems, !isAsked || now - told.at < Self.span { return false }
        told = (problems, now)
        return true
    }

    /// Forgets the refusal, because a configuration was good.
    ///
    /// - Returns: whether one was reported, so that the good configuration is news.
    package mutating func forget() -> Bool {
        defer { told = nil }
        return told != nil
    }
}
