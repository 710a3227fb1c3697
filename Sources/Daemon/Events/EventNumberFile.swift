import Beacon
package import Events
import Glibc
import Platform
import Synchronization

/// Keeps event numbers rising over restarts, whatever the clock does. The file holds a number that no event has
/// reached yet.
package final class EventNumberFile: Sendable {
    private let path: String
    private let reserved = Mutex<EventRecord.ID>(0)

    /// How many numbers are reserved at once: more than can be used between two checks.
    private static let block: EventRecord.ID = 10_000_000

    /// - Parameter directory: the state directory. It is created if it does not exist.
    package init(directory: String) {
        path = directory + "/event-number"
    }

    /// The last number that the previous run may have used; 0 if it is unknown.
    package func read() -> EventRecord.ID {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count > 0 else { return 0 }
        let digits = bytes[..<count].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // JSON numbers are exact below this limit.
        guard let number = UInt64(String(decoding: digits, as: UTF8.self)), number < 1 << 52 else { return 0 }
        return number
    }

    /// Whether few of the reserved numbers are left.
    func mustReserve(beyond last: EventRecord.ID) -> Bool {
        reserved.withLock { last + Self.block / 2 > $0 }
    }

    /// Reserves numbers beyond the last one used if few are left. Blocks during the write.
    package func reserve(beyond last: EventRecord.ID) {
        let number = reserved.withLock { reserved -> EventRecord.ID? in
            guard last + Self.block / 2 > reserved else { return nil }
            reserved = last + Self.block
            return reserved
        }
        if let number { write(number) }
    }

    /// Records the last number of this run.
    package func finish(at last: EventRecord.ID) {
        write(last)
    }

    /// If writing fails, the next run takes its first number from the clock.
    private func write(_ number: EventRecord.ID) {
        AtomicFile.makeFolder(of: path, permissions: 0o755)
        try? AtomicFile.replace(path, with: "\(number)\n", rights: .permissions(0o644))
    }
}
