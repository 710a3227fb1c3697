import Glibc
package import NIOCore
import Synchronization

/// Files that are being sent to clients. All are read on one thread, piece by piece, and only as fast as the clients
/// accept them. A slow client uses two pieces of memory; with more transfers the pieces become smaller.
package final class FileTransfers: Sendable {
    /// An open file; it is closed when it is released.
    package final class OpenFile: Sendable {
        fileprivate let descriptor: Int32
        /// In bytes.
        package let size: Int

        fileprivate init?(_ path: String) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { return nil }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                return nil
            }
            size = Int(status.st_size)
        }

        deinit {
            close(descriptor)
        }
    }

    /// How much data may wait for all clients together, in bytes.
    static let total = 16 << 20

    package init() {}

    private let queue = WorkQueue("files", maximumWaiting: 2048)
    private let running = Atomic(0)

    /// - Throws: `Refusal` if the file does not exist.
    package func opened(_ path: String) async throws -> OpenFile {
        let file = try await queue.run { _ in OpenFile(path) }
        guard let file else {
            throw Refusal(404, "the file is gone", whatToDo: "ask for the content again")
        }
        return file
    }

    /// Writes a part of a file.
    ///
    /// - Throws: if the client has left or the file has become shorter.
    package func send(
        _ file: OpenFile, _ range: ClosedRange<Int>, to client: Client, _ write: (ByteBuffer) async throws -> Void
    ) async throws {
        running.add(1, ordering: .relaxed)
        defer { running.subtract(1, ordering: .relaxed) }
        var position = range.lowerBound
        while position <= range.upperBound {
            let length = Self.pieceLength(of: running.load(ordering: .relaxed))
            let count = min(length, range.upperBound - position + 1)
            try await client.waitForRoom(count, most: 2 * length)
            let piece = try await queue.run { [position] _ in Self.read(file, count, at: position) }
            guard piece.readableBytes == count else { throw CancellationError() }
            try await write(piece)
            position += count
        }
    }

    static func pieceLength(of running: Int) -> Int {
        min(max(total / (2 * max(running, 1)), 8192), Client.largestPiece)
    }

    private static func read(_ file: OpenFile, _ count: Int, at position: Int) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let rest = count - buffer.readableBytes
            let offset = position + buffer.readableBytes
            var result = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: rest) { room in
                result = pread(file.descriptor, room.baseAddress, rest, off_t(offset))
                return max(0, result)
            }
            guard result > 0 || result < 0 && errno == EINTR else { break }
        }
        return buffer
    }
}
