public import Ranging

/// Where the daemon's news goes.
public protocol Presenter: Sendable {
    func show(_ event: DaemonEvent)
    func show(_ ranking: Ranking)
}
