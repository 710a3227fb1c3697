import Platform

/// The thread that watches over all sessions. A silent controller is asked again and again whether it lives: on this
/// thread that costs few wake-ups.
package enum SessionThread {
    /// Nil where no thread can be started: sessions then share those of all tasks.
    static let executor = try? ThreadExecutor()

    /// What sessions pause by.
    package static var clock: any Clock<Duration> { executor.map { ThreadClock($0) } ?? ContinuousClock() }
}
