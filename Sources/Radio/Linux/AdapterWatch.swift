import Beacon
import CBluez
import Platform
import Synchronization

/// Notices, without polling, when adapters are added, removed, or brought up or down. It uses the kernel's management
/// channel, which needs no privileges, and the kernel's notices, which say more, if this process may receive them.
/// BlueZ, doc/mgmt-api.txt: Index Added, Index Removed and their other forms, New Settings.
package final class AdapterWatch: Sendable {
    private struct State {
        var readers: [DescriptorReader] = []
        /// The callers that wait. Each is entered before it suspends.
        var waiting: [Int: CheckedContinuation<Void, Never>?] = [:]
        var nextID = 0
        var changes = 0
    }

    private let state = Mutex(State())

    /// Starts watching. If the kernel has no Bluetooth, no change is ever reported.
    package init() {
        if let socket = try? LinuxAdapters.openSocket(at: "adapters"),
            cbluez_bind(socket.number, LinuxAdapters.noAdapter, HCI_CHANNEL_CONTROL) == 0 {
            read(socket) { Self.managementEvents.contains($0.littleEndian16(at: 0)) }
        }
        if let socket = AdapterNotice.openSocket() {
            read(socket) { AdapterNotice($0) != nil }
        }
    }

    private func read(_ socket: OwnedDescriptor, isChange: @escaping @Sendable (RawSpan) -> Bool) {
        let reader = DescriptorReader(
            socket, place: "adapters", receiver: Receiver(watch: self, isChange: isChange))
        guard (try? reader.start()) != nil else { return }
        state.withLock { $0.readers.append(reader) }
    }

    deinit {
        for reader in state.withLock({ $0.readers }) { reader.stop() }
    }

    /// How many changes there were so far.
    package var changes: Int { state.withLock { $0.changes } }

    /// Suspends until there were more changes than `seen`, `limit` has passed, or the task is cancelled.
    package func change(after seen: Int, within limit: Duration) async {
        let id = state.withLock { state in
            state.nextID += 1
            state.waiting.updateValue(nil, forKey: state.nextID)
            return state.nextID
        }
        let timer = Deadline(after: limit) { [weak self] in self?.end(id) }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // It may have ended already.
                    guard state.changes <= seen, state.waiting[id] != nil else {
                        state.waiting[id] = nil
                        return true
                    }
                    state.waiting[id] = .some(continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            end(id)
        }
    }

    /// Ends one wait; the others go on.
    private func end(_ id: Int) {
        let waiter = state.withLock { $0.waiting.removeValue(forKey: id) }
        waiter??.resume()
    }

    private func tell() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation?.resume() }
    }

    fileprivate func changed() {
        state.withLock { $0.changes += 1 }
        tell()
    }

    private static let managementEvents: Set<UInt16> = [0x0004, 0x0005, 0x0006, 0x001D, 0x001E, 0x0020, 0x0021]

    private struct Receiver: PacketReceiver {
        weak let watch: AdapterWatch?
        let isChange: @Sendable (RawSpan) -> Bool

        func receive(_ packet: RawSpan, at time: Timestamp) {
            if packet.byteCount >= 6, isChange(packet) { watch?.changed() }
        }

        func transportDidClose(_ error: RadioError?) {}
    }
}
