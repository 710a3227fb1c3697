/// When a state that other programs have changed is to be restored: after a pause in which they may finish what they
/// have begun. Scanning and advertising share it.
///
/// A change that comes while the state is restored may follow our own commands, so it is restored once more. After a
/// refusal it is tried again.
///
/// Pure. Times are seconds on any monotonic clock.
package struct RestartSchedule: Sendable {
    /// Seconds to wait after another program's command.
    package static let settling = 0.3
    /// The shortest time between two attempts, in seconds, so that two programs do not restart in a fast loop.
    package static let spacing = 1.0

    private var changedAt: Double?
    private var attemptedAt: Double
    private var hasChangedSinceStarting = false

    /// - Parameter now: when the state was reached.
    package init(now: Double) {
        attemptedAt = now
    }

    /// Another program changed the state.
    package mutating func changed(at now: Double) {
        changedAt = now
        hasChangedSinceStarting = true
    }

    /// Our commands follow.
    package mutating func starting() {
        hasChangedSinceStarting = false
    }

    /// Our commands were carried out.
    package mutating func started(at now: Double) {
        attemptedAt = now
        if !hasChangedSinceStarting { changedAt = nil }
    }

    /// The controller refused one of our commands.
    package mutating func refused(at now: Double) {
        attemptedAt = now
    }

    /// When the state is to be restored; infinity if nobody has changed it.
    package var due: Double {
        guard let changedAt else { return .infinity }
        return max(changedAt + Self.settling, attemptedAt + Self.spacing)
    }
}
