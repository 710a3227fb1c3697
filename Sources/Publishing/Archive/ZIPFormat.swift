/// The records of a ZIP file (PKWARE APPNOTE 6.3.3), without ZIP64 and encryption.
enum ZIPFormat {
    static let local: UInt32 = 0x0403_4B50
    static let central: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let localLength = 30
    static let centralLength = 46
    static let endLength = 22
    /// Names are UTF-8.
    static let utf8: UInt16 = 1 << 11
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
    /// 1980-01-01, the earliest date of the format. The date is always the same, so that equal sites give equal
    /// archives.
    static let date: UInt16 = 0x0021
    static let maximumEntries = 65_534
    static let maximumBytes: Int64 = 0xFFFF_FFFE

    /// Whether a name may be used: a plain path below the archive's root, which no system interprets in another way.
    static func isPlain(_ name: String) -> Bool {
        // By octets: a slash with an accent on it separates folders, too.
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return (1...1024).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: ":") }
            && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
    }
}

extension [UInt8] {
    mutating func append16(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func append32(_ value: UInt32) {
        append16(UInt16(truncatingIfNeeded: value))
        append16(UInt16(truncatingIfNeeded: value >> 16))
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the first two bytes, least significant first; nil if there are fewer.
    mutating func take16() -> UInt16? {
        guard count >= 2 else { return nil }
        defer { removeFirst(2) }
        return UInt16(self[startIndex]) | UInt16(self[startIndex + 1]) << 8
    }

    mutating func take32() -> UInt32? {
        guard count >= 4, let low = take16(), let high = take16() else { return nil }
        return UInt32(low) | UInt32(high) << 16
    }
}
