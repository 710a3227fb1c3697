import Beacon
import Console
package import Events
package import Ranging
import Synchronization

/// Reports the daemon's state to systemd: a line for `systemctl status`, and watchdog notifications while the scanner
/// is not blind. If it is blind for longer than WatchdogSec, systemd restarts the daemon.
package final class SystemdPresenter: Presenter {
    private struct State {
        var status = ""
        /// In seconds of a clock that is never set. If a clock were set back, systemd would get no message until its
        /// watchdog ended the daemon.
        var toldAt: Double?
        /// The first mistake in the new configuration.
        var refusal: String?
    }

    private let names: Names
    private let clock: @Sendable () -> Double
    private let tell: @Sendable (_ status: String, _ isAlive: Bool) -> Void
    private let state = Mutex(State())

    /// Seconds between two messages, because rankings come more often.
    private static let spacing = 2.0

    /// - Parameters:
    ///   - clock: seconds of a clock that is never set.
    ///   - tell: sends systemd the status, and resets its watchdog if it is alive.
    package init(
        names: Names, clock: @escaping @Sendable () -> Double = steadySeconds,
        tell: @escaping @Sendable (_ status: String, _ isAlive: Bool) -> Void = { status, isAlive in
            ServiceManager.status(status)
            if isAlive { ServiceManager.alive() }
        }
    ) {
        self.names = names
        self.clock = clock
        self.tell = tell
    }

    package func show(_ record: EventRecord) {
        guard case .configuration(let isGood, let lines) = record.event else { return }
        state.withLock { $0.refusal = isGood ? nil : lines.first ?? "it cannot be read" }
    }

    package func show(_ ranking: Ranking, isBlind: Bool) {
        let plain = Self.status(ranking, isBlind: isBlind, names)
        let now = clock()
        let (isDue, status) = state.withLock { state in
            let status = plain + (state.refusal.map { "; new settings not applied: \($0)" } ?? "")
            guard state.status != status || state.toldAt.map({ now - $0 >= Self.spacing }) ?? true else {
                return (false, status)
            }
            state.status = status
            state.toldAt = now
            return (true, status)
        }
        guard isDue else { return }
        tell(status, !isBlind)
    }

    private static func status(_ ranking: Ranking, isBlind: Bool, _ names: Names) -> String {
        if isBlind { return "blind: nothing can be heard, and beacons are kept as they were" }
        let others = ranking.beacons.count == 1 ? "1 beacon in range" : "\(ranking.beacons.count) beacons in range"
        return "nearest: \(ranking.nearest.map { names[$0] } ?? "none"), \(others)"
    }
}
