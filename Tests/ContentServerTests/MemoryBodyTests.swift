import Curation
import CurationStore
import HTTPTypes
import HummingbirdCore
import NIOCore
import Serving
import Synchronization
import TestSupport
import Testing

@Suite("Bodies from memory", .timeLimit(.minutes(10)))
struct MemoryBodyTests {
    /// What was written of a body, in pieces.
    private final class Written: Sendable {
        let pieces = Mutex<[[UInt8]]>([])
        let isFinished = Mutex(false)

        var count: Int { pieces.withLock { $0.reduce(0) { $0 + $1.count } } }
    }

    private struct Writer: ResponseBodyWriter {
        let written: Written

        mutating func write(_ buffer: ByteBuffer) async throws {
            written.pieces.withLock { $0.append(Array(buffer.readableBytesView)) }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
            written.isFinished.withLock { $0 = true }
        }
    }

    enum Source: CaseIterable {
        case bytes, buffer
    }

    private static func body(_ source: Source, _ bytes: [UInt8], to client: Client) -> ResponseBody {
        switch source {
        case .bytes: ResponseBody(bytes, to: client)
        case .buffer: ResponseBody(ByteBuffer(bytes: bytes), to: client)
        }
    }

    @Test(
        "a client that takes nothing holds two pieces; with each that it takes comes the next",
        arguments: Source.allCases)
    func pace(source: Source) async throws {
        let bytes = (0..<10 * Client.largestPiece + 7).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let (client, written) = (Client(), Written())
        let body = Self.body(source, bytes, to: client)
        #expect(body.contentLength == bytes.count)
        let sending = Task { try await body.write(Writer(written: written)) }
        var taken = 0
        while taken < bytes.count {
            let most = min(taken + Client.mostWaiting, bytes.count)
            try await waitUntil("as much is written as may wait") { written.count == most }
            let piece = min(Client.largestPiece, bytes.count - taken)
            client.taken(piece)
            taken += piece
        }
        try await sending.value
        let pieces = written.pieces.withLock { $0 }
        #expect(pieces.count == 11 && pieces.allSatisfy { $0.count <= Client.largestPiece })
        #expect(Array(pieces.joined()) == bytes)
        #expect(written.isFinished.withLock { $0 })
    }

    @Test("nothing more is written for a client that has left", arguments: Source.allCases)
    func left(source: Source) async throws {
        let (client, written) = (Client(), Written())
        let body = Self.body(source, [UInt8](repeating: 1, count: 10 * Client.largestPiece), to: client)
        let sending = Task { try await body.write(Writer(written: written)) }
        try await waitUntil("as much is written as may wait") { written.count == Client.mostWaiting }
        client.leave()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(written.count == Client.mostWaiting && !written.isFinished.withLock { $0 })
    }

    @Test("a small body is one piece that waits for nothing", arguments: Source.allCases, [0, 1, 65_536])
    func small(source: Source, count: Int) async throws {
        let (client, written) = (Client(), Written())
        // Others' bytes wait already.
        try await client.waitForRoom(Client.mostWaiting)
        let bytes = [UInt8](repeating: 7, count: count)
        let body = Self.body(source, bytes, to: client)
        #expect(body.contentLength == count)
        try await body.write(Writer(written: written))
        #expect(written.pieces.withLock { $0 } == [bytes])
    }

    @Test("a large answer over HTTP is whole, and the connection can be used again")
    func overHTTP() async throws {
        let server = try await CuratorServer()
        var beacon = BeaconDocument()
        beacon.note = String(repeating: "a", count: 10 * Client.largestPiece)
        let stored = try await server.store.save(
            .beacon(beacon), as: nil, over: nil, by: Author("ana"), at: server.clock.now)
        let connection = try RawConnection(port: server.port)
        let path = "/api/v1/beacons/\(stored.id)"
        let fields = ["Host: localhost", "Authorization: Bearer \(try await server.token([.read]))"]
        let whole = try await connection.ask(path, fields: fields)
        #expect(whole.status == 200 && whole.body.count > 10 * Client.largestPiece, "it is sent in pieces")
        #expect(whole.text.contains(beacon.note) && whole.text.hasSuffix("}\n"))
        #expect(whole.fields["content-length"] == "\(whole.body.count)")
        // HEAD says the length, and what follows is the next answer.
        let head = try await connection.ask(path, method: "HEAD", fields: fields)
        #expect(head.status == 200 && head.fields["content-length"] == "\(whole.body.count)")
        #expect(try await connection.ask(path, fields: fields).body == whole.body)
    }
}
