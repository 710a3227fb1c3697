import HummingbirdCore
import NIOCore
import Platform
import Publishing
import Serving
import Synchronization

/// A ZIP file that is written while it is sent. Its files are read on threads of their own.
final class ArchiveBody: Sendable {
    private let writer: Mutex<ZIPWriter>
    /// Bytes that are read at once.
    private static let portion = 1 << 20

    init(_ entries: [(name: String, source: ZIPWriter.Source)]) throws {
        writer = Mutex(try ZIPWriter(entries))
    }

    /// At the client's pace: what it has not taken does not pile up.
    func response(to client: Client) -> ResponseBody {
        ResponseBody { [self] output in
            while true {
                let bytes = try await OwnThread.run { try self.next() }
                guard !bytes.isEmpty else { break }
                for start in stride(from: 0, to: bytes.count, by: Client.largestPiece) {
                    let piece = bytes[start..<min(start + Client.largestPiece, bytes.count)]
                    try await client.waitForRoom(piece.count)
                    try await output.write(ByteBuffer(bytes: piece))
                }
            }
            try await output.finish(nil)
        }
    }

    private func next() throws -> [UInt8] {
        try writer.withLock { writer in
            var bytes: [UInt8] = []
            while bytes.count < Self.portion, let more = try writer.next() { bytes += more }
            return bytes
        }
    }
}
