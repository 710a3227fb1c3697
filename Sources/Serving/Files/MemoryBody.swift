package import HummingbirdCore
package import NIOCore

extension Client {
    /// Writes a buffer in pieces that share its memory, at the client's pace: a slow client has as long for each piece
    /// as for a whole small body, and what waits for it is two pieces, not a copy of all.
    ///
    /// - Throws: if the client has left.
    package func write(_ buffer: ByteBuffer, to writer: inout any ResponseBodyWriter) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(rest.readableBytes, Self.largestPiece)), piece.readableBytes > 0 {
            try await waitForRoom(piece.readableBytes)
            try await writer.write(piece)
        }
    }
}

/// Bodies from what is in memory. A large one is sent in pieces.
extension ResponseBody {
    /// Bytes that other answers may send at the same time. They are not copied as a whole.
    package init(_ bytes: [UInt8], to client: Client) {
        self.init(bytes, 0..<bytes.count, to: client)
    }

    init(_ bytes: [UInt8], _ range: Range<Int>, to client: Client) {
        guard range.count > Client.largestPiece else {
            self.init(byteBuffer: ByteBuffer(bytes: bytes[range]))
            return
        }
        self.init(contentLength: range.count) { writer in
            for start in stride(from: range.lowerBound, to: range.upperBound, by: Client.largestPiece) {
                let piece = bytes[start..<min(start + Client.largestPiece, range.upperBound)]
                try await client.write(ByteBuffer(bytes: piece), to: &writer)
            }
            try await writer.finish(nil)
        }
    }

    package init(_ buffer: ByteBuffer, to client: Client) {
        guard buffer.readableBytes > Client.largestPiece else {
            self.init(byteBuffer: buffer)
            return
        }
        self.init(contentLength: buffer.readableBytes) { writer in
            try await client.write(buffer, to: &writer)
            try await writer.finish(nil)
        }
    }
}
