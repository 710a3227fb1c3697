/// The eight lower-case hexadecimal digits of a value, the most significant in the lowest byte, as they are written.
///
/// All digits are made at once: a byte of the word for each.
@inline(__always)
func hexDigits(_ value: UInt32) -> UInt64 {
    var word = UInt64(value.byteSwapped)
    // Each octet gets two bytes, then each half of it gets one.
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    word = (word >> 4 | word << 8) & 0x0F0F_0F0F_0F0F_0F0F
    // Only from 10 on does adding 6 carry into the upper half of a byte.
    let letters = (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let fromNineToLetters = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    return word &+ 0x3030_3030_3030_3030 &+ letters &* fromNineToLetters
}
