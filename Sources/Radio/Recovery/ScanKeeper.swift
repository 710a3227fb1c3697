package import HCI

/// What other programs did to a scan that is shared with them.
package struct Interference: Hashable, Sendable {
    /// Their scan was started or continued with duplicate filtering, which hides all but a beacon's first
    /// advertisement.
    package var filtered = 0
    /// The scan was switched off.
    package var stopped = 0
    /// The controller was reset.
    package var resets = 0

    package init() {}

    package static func += (left: inout Self, right: Self) {
        left.filtered += right.filtered
        left.stopped += right.stopped
        left.resets += right.resets
    }
}

/// Follows what other programs do to the scan of a shared adapter, and says when to start it again.
///
/// bluetoothd's discovery ends with LE Set Scan Enable (off), and filters duplicates while it runs, which leaves too
/// few readings for ranging. Only the resulting state counts, after a pause in which other programs may finish what
/// they have begun. So two programs that both want an unfiltered scan do not disturb each other.
///
/// Pure. Times are seconds on any monotonic clock.
package struct ScanKeeper: Sendable {
    private var isEnabled = true
    private var filtersDuplicates = false
    private var schedule: RestartSchedule
    package private(set) var interference = Interference()

    /// Call it when the scan has just been started.
    package init(now: Double) {
        schedule = RestartSchedule(now: now)
    }

    /// Another program sent a command.
    package mutating func sawForeign(_ command: Command, at now: Double) {
        switch command.opcode {
        case .reset:
            isEnabled = false
            interference.resets += 1
        case .leSetScanEnable, .leSetExtendedScanEnable:
            guard command.parameters.count >= 2 else { return }
            isEnabled = command.parameters[0] == 1
            filtersDuplicates = command.parameters[1] != 0
            interference.stopped += isEnabled ? 0 : 1
            interference.filtered += isEnabled && filtersDuplicates ? 1 : 0
        default:
            return
        }
        schedule.changed(at: now)
    }

    /// When the scan must be started again; infinity if it runs as it should.
    package var due: Double { !isEnabled || filtersDuplicates ? schedule.due : .infinity }

    /// Whether the scan must be started again now.
    package func mustRestart(at now: Double) -> Bool { now >= due }

    /// The scan is about to be started.
    package mutating func starting() { schedule.starting() }

    /// The scan was started.
    package mutating func started(at now: Double) { schedule.started(at: now) }

    /// The controller refused to start it.
    package mutating func refused(at now: Double) { schedule.refused(at: now) }
}
