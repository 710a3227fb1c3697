import Glibc
import Platform
import Synchronization

/// Tells all running commands that the daemon is ending, and limits how long that takes.
final class HookStop: Sendable {
    /// Readable when the daemon is ending; negative if there was no free descriptor: commands then run until their
    /// time-outs.
    let descriptor: Int32
    private let writing: Int32
    private let grace: Duration
    private let requestedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// The time that a command has for its work at the end, even if it was started last.
    private static let shortestFarewell = Duration.seconds(2)

    /// - Parameter grace: for how long commands are still started after the request.
    init(grace: Duration) {
        self.grace = grace
        var ends: [Int32] = [-1, -1]
        _ = ownPipe(&ends)
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        for end in [descriptor, writing] where end >= 0 { close(end) }
    }

    func request() {
        requestedAt.withLock { $0 = $0 ?? .now }
        var one: UInt8 = 1
        if writing >= 0 { _ = Glibc.write(writing, &one, 1) }
    }

    /// Whether events that wait still get their commands.
    var mayStart: Bool { elapsed.map { $0 < grace } ?? true }

    /// The time that a command which starts now has to finish after the request.
    var farewell: Duration { max(.zero, grace + Self.shortestFarewell - (elapsed ?? .zero)) }

    /// The time since the request.
    private var elapsed: Duration? { requestedAt.withLock { $0 }.map { $0.duration(to: .now) } }
}
