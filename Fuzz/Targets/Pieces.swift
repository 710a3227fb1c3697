import TestSupport

/// A generator that depends on the input alone, so that an input fails in every run or in none (FNV-1a).
func random(from bytes: [UInt8]) -> SeededGenerator {
    SeededGenerator(seed: bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
}

/// The input cut at random places into at most so many pieces, none of them empty.
func pieces(of bytes: [UInt8], atMost count: Int = 64) -> [[UInt8]] {
    var random = random(from: bytes)
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let length =
            pieces.count == count - 1 ? rest.count : Int.random(in: 1...max(9, bytes.count / 8), using: &random)
        pieces.append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
    }
    return pieces
}
