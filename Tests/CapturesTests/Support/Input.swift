import Foundation
import TestSupport
import Testing

/// A file that exists only while a test looks at it.
func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let path = NSTemporaryDirectory() + "captures-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    return try body(path)
}

/// A descriptor from which every read gets one of the pieces, however much it asks for.
func withPieces<Result>(_ pieces: [[UInt8]], _ body: (Int32) throws -> Result) throws -> Result {
    var ends: [Int32] = [0, 0]
    // A packet socket keeps the pieces apart, as a slow pipe would.
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    let sender = ends[1]
    Thread.detachNewThread {
        for piece in pieces where send(sender, piece, piece.count, Int32(MSG_NOSIGNAL)) < 0 { break }
        close(sender)
    }
    return try body(ends[0])
}

extension Array<UInt8> {
    /// Cut into pieces of one to nine octets.
    func pieces(seed: UInt64) -> [[UInt8]] {
        var random = SeededGenerator(seed: seed)
        var pieces: [[UInt8]] = []
        var position = 0
        while position < count {
            let end = Swift.min(count, position + Int.random(in: 1...9, using: &random))
            pieces.append(Array(self[position..<end]))
            position = end
        }
        return pieces
    }
}
