/// Reads the only EXIF value that is needed: the orientation of the picture.
enum ExifOrientation {
    /// - Parameter tiff: a TIFF header and its first directory (CIPA DC-008, 4.6).
    /// - Returns: 1 to 8; nil if there is none.
    static func read(_ tiff: ArraySlice<UInt8>) -> Int? {
        let isLittle = tiff.has("II*\0")
        guard isLittle || tiff.has("MM\0*") else { return nil }
        func number(_ offset: Int, _ length: Int) -> Int? {
            guard offset >= 0, length <= tiff.count, offset <= tiff.count - length else { return nil }
            let octets = tiff[(tiff.startIndex + offset)..<(tiff.startIndex + offset + length)]
            return (isLittle ? Array(octets.reversed()) : Array(octets)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let tag = number(entry, 2), let value = number(entry + 8, 2) else { return nil }
            if tag == 0x0112 { return (1...8).contains(value) ? value : nil }
        }
        return nil
    }
}
