import Beacon
import Glibc

/// The kernel's events about files in a folder. inotify(7).
package enum FolderEvents {
    /// Whether one of the events is about a file, or may have been: the kernel drops events if there are too many.
    ///
    /// - Parameters:
    ///   - name: the name of the file in the folder.
    ///   - events: `struct inotify_event`, one after the other, with numbers in the host's order.
    package static func concern(_ name: String, _ events: RawSpan) -> Bool {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= events.byteCount {
            // The words are wd, mask, cookie and len. The name follows them, padded with zeros.
            let mask = events.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 4, as: UInt32.self)
            let length = Int(events.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 12, as: UInt32.self))
            offset += header
            guard length <= events.byteCount - offset else { return false }
            if mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            let isThis = events.extracting(offset..<offset + length).withUnsafeBytes { text in
                text.prefix { $0 != 0 }.elementsEqual(name.utf8)
            }
            if isThis { return true }
            offset += length
        }
        return false
    }
}
