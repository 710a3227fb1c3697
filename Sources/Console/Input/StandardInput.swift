import Glibc
import Platform
import Synchronization

/// Reads standard input without the C library's streams.
///
/// `readLine` holds the lock of `stdin` until a line comes. Since glibc 2.41 (Debian 13) exit(3) waits for that lock: a
/// program that waits for a line on one thread would not end.
package enum StandardInput {
    private static let newline = UInt8(ascii: "\n")
    /// What was read after the last line.
    private static let pending = Mutex<[UInt8]>([])

    /// - Throws: if it is closed or a directory. To `readLine` and `line()` that is the end of the input.
    package static func requireReadable() throws(CommandFailure) {
        var octet: UInt8 = 0
        // Nothing is read, and nothing is waited for.
        guard read(STDIN_FILENO, &octet, 0) < 0 else { return }
        throw CommandFailure("standard input: cannot be read: \(SystemFailure())")
    }

    /// The next line, without its end; nil at the end of the input. Waits for it.
    package static func line() -> String? {
        pending.withLock { pending in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                if let end = pending.firstIndex(of: newline) {
                    let line = pending[..<end]
                    pending.removeFirst(end + 1)
                    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
                }
                let count = read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    guard !pending.isEmpty else { return nil }
                    defer { pending = [] }
                    return String(decoding: pending, as: UTF8.self)
                }
                pending += chunk[..<count]
            }
        }
    }
}
