import Beacon
import Glibc

/// What the kernel says about the files of a folder. inotify(7).
package enum FolderEvents {
    /// Whether one of the events is about a file, or may have been: of too many events the kernel drops some.
    ///
    /// - Parameters:
    ///   - name: of the file in the folder.
    ///   - events: `struct inotify_event`, one after the other, with numbers in the host's order.
    package static func concern(_ name: String, _ events: RawSpan) -> Bool {
        let name = Array(name.utf8)
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= events.byteCount {
            // The words are wd, mask, cookie and len. The name follows them, with zeros behind it.
            let mask = events.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 4, as: UInt32.self)
            let length = Int(events.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 12, as: UInt32.self))
            offset += header
            guard length <= events.byteCount - offset else { return false }
            if mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            var bytes: [UInt8] = []
            for index in offset..<offset + length { bytes.append(events.octet(at: index)) }
            if bytes.prefix(while: { $0 != 0 }).elementsEqual(name) { return true }
            offset += length
        }
        return false
    }
}
