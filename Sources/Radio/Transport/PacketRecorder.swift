package import Beacon
package import Captures
package import HCI
import Synchronization

/// Writes packets from any number of transports into one btsnoop file.
///
/// A write that fails (a full disk) ends the recording, but not the scan. `finish` throws the error.
package final class PacketRecorder: Sendable {
    private struct State: ~Copyable {
        var writer: BtsnoopWriter
        var failure: CaptureError?
        var flushedAt = Timestamp(microseconds: 0)
        /// The adapter numbers that are in use, and the next one to try.
        var numbers: Set<UInt16> = []
        var nextNumber: UInt16 = 0
    }

    /// Seconds between two flushes: what is lost if the process is killed, and the delay for a reader of the growing
    /// file.
    private static let flushInterval = 1.0

    private let state: Mutex<State>

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

    /// Writes to the file once a second, or when 64 KiB are waiting, and then blocks its thread while the disk works.
    ///
    /// - Parameters:
    ///   - packet: with its H4 type.
    ///   - adapter: the number of its controller.
    package func record(_ packet: RawSpan, fromController: Bool, at time: Timestamp, adapter: UInt16 = 0) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(CaptureError) {
                try state.writer.write(packet, fromController: fromController, at: time, adapter: adapter)
                guard time.seconds(since: state.flushedAt).magnitude >= Self.flushInterval else { return }
                try state.writer.flush()
                state.flushedAt = time
            } catch {
                state.failure = error
            }
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

    /// Why the recording has ended; nil while it is running.
    package var failure: CaptureError? { state.withLock { $0.failure } }

    /// Writes what is still in memory.
    ///
    /// - Throws: the recording's first error.
    package func finish() throws(CaptureError) {
        let failure = state.withLock { state -> CaptureError? in
            if let failure = state.failure { return failure }
            do throws(CaptureError) {
                try state.writer.flush()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
