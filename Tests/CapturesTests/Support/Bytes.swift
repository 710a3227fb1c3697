/// Writing numbers in the byte order that a format asks for.
extension Array<UInt8> {
    mutating func big(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    mutating func little(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    mutating func number(_ value: some FixedWidthInteger, isBig: Bool) {
        if isBig { big(value) } else { little(value) }
    }

    /// From hexadecimal digits; everything else is passed over.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
