import Beacon
import CBluez
import Glibc
import Synchronization

/// Tells when adapters come and go, from the kernel's management channel; no polling, no privileges.
/// BlueZ, doc/mgmt-api.txt: Index Added, Index Removed and their extended forms.
public final class AdapterWatch: Sendable {
    private struct State {
        var reader: DescriptorReader?
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextID = 0
        var changes = 0
    }

    private let state = Mutex(State())

    /// Begins to watch. Where the kernel has no Bluetooth there is nothing to watch, and nothing is ever told.
    public init() {
        guard let descriptor = try? LinuxAdapters.openSocket(at: "adapters") else { return }
        // 0xFFFF: no adapter in particular.
        guard cbluez_bind(descriptor, 0xFFFF, HCI_CHANNEL_CONTROL) == 0 else {
            close(descriptor)
            return
        }
        let reader = DescriptorReader(descriptor: descriptor, place: "adapters", receiver: Receiver(watch: self))
        guard (try? reader.start()) != nil else {
            close(descriptor)
            return
        }
        state.withLock { $0.reader = reader }
    }

    deinit {
        state.withLock { $0.reader }?.stop()
    }

    /// How many changes there were so far.
    public var changes: Int { state.withLock { $0.changes } }

    /// Suspends until there were more changes than `seen`, `limit` has passed, or the task is cancelled.
    public func change(after seen: Int, within limit: Duration) async {
        let timer = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.tell()
        }
        defer { timer.cancel() }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    let isDue = state.changes > seen || Task.isCancelled
                    if !isDue { state.waiting[id] = continuation }
                    return isDue
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func tell() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    fileprivate func received(_ packet: RawSpan) {
        guard packet.byteCount >= 6 else { return }
        let indexEvents: Set<UInt16> = [0x0004, 0x0005, 0x001D, 0x001E, 0x0020, 0x0021]
        guard indexEvents.contains(packet.littleEndian16(at: 0)) else { return }
        state.withLock { $0.changes += 1 }
        tell()
    }

    private struct Receiver: PacketReceiver {
        weak let watch: AdapterWatch?

        func receive(_ packet: RawSpan, at time: Timestamp) {
            watch?.received(packet)
        }

        func transportDidClose(_ error: RadioError?) {}
    }
}
