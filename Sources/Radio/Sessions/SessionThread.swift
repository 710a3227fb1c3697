import Platform

/// The thread that watches all sessions. A silent controller is asked again and again. On one shared thread that costs
/// few wake-ups.
package enum SessionThread {
    /// Nil if no thread can be started: sessions then use the cooperative threads.
    static let executor = try? ThreadExecutor()

    /// The clock of the sessions' pauses.
    package static var clock: any Clock<Duration> { executor.map { ThreadClock($0) } ?? ContinuousClock() }
}
