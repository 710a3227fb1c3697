import Beacon

/// What watches over a running session: it hears every packet on the transport's thread, and is asked again and again
/// what is to be done. Times are seconds on the session's clock.
protocol SessionMonitor: Sendable {
    /// The session is (again) in its state.
    func started(at now: Double)

    /// What is to be done now.
    func action(at now: Double) -> SilenceWatch.Action

    /// Whether silence means anything at present.
    var hearing: Hearing { get }
}
