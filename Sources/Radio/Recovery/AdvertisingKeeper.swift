package import HCI

/// Follows what other programs do to our advertising on a shared adapter, and says when to restore it.
///
/// hciconfig, bluetoothd and the kernel itself switch advertising off, sometimes all sets at once, and hcitool changes
/// the data. Each of their commands that concerns our sets counts, whatever state it leaves.
///
/// Pure. Times are seconds on any monotonic clock.
package struct AdvertisingKeeper: Sendable {
    /// Nil until it is known. Commands of both families count until then.
    package var family: CommandFamily?
    private let handles: Set<UInt8>
    private var schedule: RestartSchedule

    /// - Parameter handles: the sets that are ours.
    package init(handles: Set<UInt8>, now: Double) {
        self.handles = handles
        schedule = RestartSchedule(now: now)
    }

    /// Another program sent a command.
    package mutating func sawForeign(_ command: Command, at now: Double) {
        if concernsUs(command) { schedule.changed(at: now) }
    }

    private func concernsUs(_ command: Command) -> Bool {
        switch command.opcode {
        case .reset: true
        case .leSetAdvertisingEnable, .leSetAdvertisingData, .leSetAdvertisingParameters: family != .extended
        case _ where family == .legacy: false
        case .leSetExtendedAdvertisingData, .leSetExtendedAdvertisingParameters, .leRemoveAdvertisingSet,
            .leSetAdvertisingSetRandomAddress:
            command.parameters.first.map(handles.contains) ?? false
        case .leClearAdvertisingSets: true
        case .leSetExtendedAdvertisingEnable: isEnableOfOurs(command.parameters)
        default: false
        }
    }

    /// Disabling without a set means all of them. Core Specification Vol 4, Part E, 7.8.56.
    private func isEnableOfOurs(_ parameters: [UInt8]) -> Bool {
        guard parameters.count >= 2, parameters[1] > 0 else { return true }
        return stride(from: 2, to: parameters.count, by: 4).contains { handles.contains(parameters[$0]) }
    }

    /// When the sets must be started again; infinity if they are as they should be.
    package var due: Double { schedule.due }

    /// Whether the sets must be started again now.
    package func mustRestart(at now: Double) -> Bool { now >= due }

    /// The sets are about to be started again.
    package mutating func starting() { schedule.starting() }

    /// The sets were started again.
    package mutating func started(at now: Double) { schedule.started(at: now) }

    /// The controller refused to start them.
    package mutating func refused(at now: Double) { schedule.refused(at: now) }
}
