import CSystemd
import Glibc

/// The systemd journal. systemd-journald(8), sd_journal_send(3).
package enum Journal {
    /// Whether standard error goes to the journal: `JOURNAL_STREAM` holds its device and inode (systemd.exec(5)).
    package static func takes(_ environment: [String: String]) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Sends an entry with additional fields.
    ///
    /// - Parameters:
    ///   - message: text for people.
    ///   - priority: 0 to 7, as in syslog(3).
    ///   - fields: names and values. A name consists of capital letters, digits and underscores.
    /// - Returns: whether the journal accepted it.
    package static func send(_ message: String, priority: Int, fields: [(name: String, value: String)]) -> Bool {
        let lines = [("MESSAGE", message), ("PRIORITY", "\(priority)")] + fields
        let texts = lines.map { Array("\($0)=\($1)".utf8) }
        let sizes = texts.map(\.count)
        var bytes = texts.flatMap { $0 }
        return bytes.withUnsafeMutableBytes { bytes in
            var offset = 0
            let parts = sizes.map { size in
                defer { offset += size }
                return iovec(iov_base: bytes.baseAddress.map { $0 + offset }, iov_len: size)
            }
            // The function that adds a code location would add this file's.
            return sd_journal_sendv(parts, Int32(parts.count)) == 0
        }
    }
}
