import Beacon

/// What watches over a running session: it hears every packet on the transport's thread, and is asked what is to be
/// done when it says that something may be. Times are seconds on the session's clock.
protocol SessionMonitor: Sendable {
    /// The session is (again) in its state.
    func started(at now: Double)

    /// When something may have to be done, if nothing is heard until then.
    var due: Double { get }

    /// Ended when `due` has become earlier, or `hearing` has changed.
    var pause: Pause { get }

    /// What is to be done now.
    func action(at now: Double) -> SilenceWatch.Action

    /// Whether silence means anything at present.
    var hearing: Hearing { get }
}
