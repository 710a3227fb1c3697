import Beacon

/// Watches a running session: it gets every packet on the transport's thread, and decides what to do at the times that
/// it names. Times are seconds on the session's clock.
protocol SessionMonitor: Sendable {
    /// The commands follow that bring the session into its state, at the start or again.
    func starting()

    /// The session is in its state, at the start or again.
    func started(at now: Double)

    /// The controller refused to restore the state.
    func refused(at now: Double)

    /// When `action` has to be called next, if nothing is received until then.
    var due: Double { get }

    /// The session's pause. It is ended when `due` has become earlier or `hearing` has changed.
    var pause: Pause { get }

    /// What to do now.
    func action(at now: Double) -> SilenceWatch.Action

    /// Whether silence means that no beacon is there.
    var hearing: Hearing { get }
}
