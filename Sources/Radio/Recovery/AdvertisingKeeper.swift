import Beacon
import HCI

/// Follows what other programs do to our advertising on a shared adapter, and says when to restore it.
///
/// hciconfig, bluetoothd and the kernel itself switch advertising off, sometimes all sets at once, and hcitool changes
/// the data. As in `ScanKeeper`, other programs may first finish what they have begun.
///
/// Pure. Times are seconds on any monotonic clock.
struct AdvertisingKeeper: Sendable {
    private let family: CommandFamily
    private let handles: Set<UInt8>
    private var changedAt: Double?
    private var startedAt: Double

    /// Call it when the sets have just been started.
    init(family: CommandFamily, handles: Set<UInt8>, now: Double) {
        self.family = family
        self.handles = handles
        startedAt = now
    }

    /// Another program sent a command.
    mutating func sawForeign(_ command: Command, at now: Double) {
        if concernsUs(command) { changedAt = now }
    }

    private func concernsUs(_ command: Command) -> Bool {
        switch (command.opcode, family) {
        case (.reset, _): true
        case (.leSetAdvertisingEnable, .legacy), (.leSetAdvertisingData, .legacy),
            (.leSetAdvertisingParameters, .legacy):
            true
        case (.leSetExtendedAdvertisingData, .extended), (.leSetExtendedAdvertisingParameters, .extended),
            (.leRemoveAdvertisingSet, .extended), (.leSetAdvertisingSetRandomAddress, .extended):
            command.parameters.first.map(handles.contains) ?? false
        case (.leClearAdvertisingSets, .extended): true
        case (.leSetExtendedAdvertisingEnable, .extended): isEnableOfOurs(command.parameters)
        default: false
        }
    }

    /// Disabling without a set means all of them. Core Specification Vol 4, Part E, 7.8.56.
    private func isEnableOfOurs(_ parameters: [UInt8]) -> Bool {
        guard parameters.count >= 2, parameters[1] > 0 else { return true }
        return stride(from: 2, to: parameters.count, by: 4).contains { handles.contains(parameters[$0]) }
    }

    /// When the sets must be started again; infinity if they are as they should be.
    var due: Double {
        guard let changedAt else { return .infinity }
        return max(changedAt + ScanKeeper.settling, startedAt + ScanKeeper.spacing)
    }

    /// Whether the sets must be started again now.
    func mustRestart(at now: Double) -> Bool { now >= due }

    /// The sets were started again.
    mutating func restarted(at now: Double) {
        changedAt = nil
        startedAt = now
    }
}
