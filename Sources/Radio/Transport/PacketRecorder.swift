package import Beacon
package import Captures
internal import Dispatch
package import HCI
import Synchronization

/// Writes packets from any number of transports into one btsnoop file.
///
/// A write that fails (a full disk) ends the recording, but not the scan. `whenFailed` is told at once, and `finish`
/// throws the error.
package final class PacketRecorder: Sendable {
    private struct State: ~Copyable {
        var writer: BtsnoopWriter
        var failure: CaptureError?
        var tell: (@Sendable (CaptureError) -> Void)?
        var flushedAt = Timestamp(microseconds: 0)
        /// The adapter numbers that are in use, and the next one to try.
        var numbers: Set<UInt16> = []
        var nextNumber: UInt16 = 0
    }

    /// Seconds between two flushes: what is lost if the process is killed, and the delay for a reader of the growing
    /// file.
    private static let flushInterval = 1.0

    /// A received packet that was not written yet.
    private struct Waiting: Sendable {
        var packet: [UInt8]
        var time: Timestamp
        var adapter: UInt16
        /// How many packets before it found no room.
        var drops: UInt32
    }

    private struct Buffer: Sendable {
        var packets: [Waiting] = []
        var bytes = 0
        var drops: UInt32 = 0
        /// A write was started that takes everything.
        var isBeingTaken = false
        /// A write has failed, so nothing is kept any more.
        var isOver = false
    }

    /// Bytes that wait for a slow disk, at most, with this much for each packet.
    private static let mostWaiting = 1 << 20
    private static let packetOverhead = 64

    private let state: Mutex<State>
    /// Its lock is never held while something is written.
    private let buffer = Mutex(Buffer())
    private let queue = DispatchQueue(label: "beacond.recorder")

    /// Creates or replaces the file.
    ///
    /// - Parameter isOfSeveral: whether the file keeps each packet's adapter.
    /// - Throws: if that fails.
    package init(path: String, isOfSeveral: Bool = false) throws(CaptureError) {
        state = Mutex(State(writer: try BtsnoopWriter(path: path, isMonitor: isOfSeveral)))
    }

    /// Keeps each packet's adapter after all, which is possible until the first packet.
    ///
    /// - Returns: whether the file keeps them.
    @discardableResult
    package func keepAdapters() -> Bool {
        state.withLock { $0.writer.keepAdapters() }
    }

    /// A number for one more adapter: the wanted one if it is free, otherwise the next free one. If none is left, two
    /// adapters share a number.
    package func number(wanted: UInt16) -> UInt16 {
        state.withLock { state in
            if state.numbers.insert(wanted).inserted { return wanted }
            while state.nextNumber < .max, !state.numbers.insert(state.nextNumber).inserted { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// Records a received packet without waiting for the disk, because the transport's thread must not wait. If more
    /// than 1 MiB waits, packets are dropped. Every later record has their number.
    package func recordReceived(_ packet: RawSpan, at time: Timestamp, adapter: UInt16 = 0) {
        let isFirst = buffer.withLock { buffer in
            guard !buffer.isOver else { return false }
            guard buffer.bytes + packet.byteCount + Self.packetOverhead <= Self.mostWaiting else {
                buffer.drops &+= 1
                return false
            }
            let bytes = packet.withUnsafeBytes { [UInt8]($0) }
            buffer.packets.append(Waiting(packet: bytes, time: time, adapter: adapter, drops: buffer.drops))
            buffer.bytes += bytes.count + Self.packetOverhead
            buffer.drops = 0
            defer { buffer.isBeingTaken = true }
            return !buffer.isBeingTaken
        }
        if isFirst { queue.async { self.change { state throws(CaptureError) in try self.writeWaiting(&state) } } }
    }

    /// Writes the received packets that wait.
    private func writeWaiting(_ state: inout State) throws(CaptureError) {
        let packets = buffer.withLock { buffer in
            let packets = buffer.packets
            (buffer.packets, buffer.bytes, buffer.isBeingTaken) = ([], 0, false)
            return packets
        }
        for waiting in packets {
            state.writer.cumulativeDrops &+= waiting.drops
            try Self.write(
                waiting.packet.span.bytes, fromController: true, at: waiting.time, adapter: waiting.adapter, &state)
        }
    }

    private static func write(
        _ packet: RawSpan, fromController: Bool, at time: Timestamp, adapter: UInt16, _ state: inout State
    ) throws(CaptureError) {
        try state.writer.write(packet, fromController: fromController, at: time, adapter: adapter)
        guard time.seconds(since: state.flushedAt).magnitude >= flushInterval else { return }
        try state.writer.flush()
        state.flushedAt = time
    }

    /// Writes unless a write has failed. Keeps and tells a failure.
    private func change(_ body: (inout State) throws(CaptureError) -> Void) {
        let news = state.withLock { state -> (tell: @Sendable (CaptureError) -> Void, failure: CaptureError)? in
            guard state.failure == nil else { return nil }
            do throws(CaptureError) {
                try body(&state)
                return nil
            } catch {
                state.failure = error
                buffer.withLock { $0 = Buffer(isOver: true) }
                return state.tell.map { ($0, error) }
            }
        }
        if let news { news.tell(news.failure) }
    }

    /// - Parameter tell: called once on any thread when a write has failed; at once if one has failed before.
    package func whenFailed(_ tell: @escaping @Sendable (CaptureError) -> Void) {
        let failure = state.withLock { state in
            state.tell = tell
            return state.failure
        }
        if let failure { tell(failure) }
    }

    /// Writes to the file once a second, or when 64 KiB are waiting, and then blocks its thread while the disk works.
    ///
    /// - Parameters:
    ///   - packet: with its H4 type.
    ///   - adapter: the number of its controller.
    package func record(_ packet: RawSpan, fromController: Bool, at time: Timestamp, adapter: UInt16 = 0) {
        change { state throws(CaptureError) in
            // Those came before.
            try writeWaiting(&state)
            try Self.write(packet, fromController: fromController, at: time, adapter: adapter, &state)
        }
    }

    /// The same for a packet that came without its H4 type.
    package func record(
        _ type: PacketType, _ packet: RawSpan, fromController: Bool, at time: Timestamp?, adapter: UInt16 = 0
    ) {
        var whole = [type.rawValue]
        packet.withUnsafeBytes { whole.append(contentsOf: $0) }
        record(
            whole.span.bytes, fromController: fromController, at: time ?? Timestamp(microseconds: 0), adapter: adapter)
    }

    /// How many bytes of received packets wait to be written.
    package var waitingBytes: Int { buffer.withLock { $0.bytes } }

    /// Why the recording has ended; nil while it is running.
    package var failure: CaptureError? { state.withLock { $0.failure } }

    /// Writes what is still in memory.
    ///
    /// - Throws: the recording's first error.
    package func finish() throws(CaptureError) {
        let failure = state.withLock { state -> CaptureError? in
            if let failure = state.failure { return failure }
            do throws(CaptureError) {
                try writeWaiting(&state)
                try state.writer.flush()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
