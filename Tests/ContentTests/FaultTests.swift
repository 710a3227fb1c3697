import Beacon
import Content
import Foundation
import SiteFormat
import Synchronization
import Testing
import TestSupport
import Text

/// Against a server that cuts, resets, lies, stalls and refuses.
@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
    static let file = asset(1, bytes: 300_000)
    static let manifestPath = "/v1/beacons/\(hall).json"
    static let assetPath = "/v1/assets/\(file.sha256)"
    static let manifest = Array(
        """
        {"format":1,"images":[{"id":"1","asset":{"sha256":"\(file.sha256)","bytes":\(file.data.count)}}]}
        """.utf8)

    /// A site without a list, whose asset is answered by a script.
    static func server(
        _ asset: @escaping @Sendable (_ count: Int) -> [RawServer.Step]
    ) throws -> RawServer {
        try RawServer { path, count in
            switch path {
            case manifestPath: [.answer("200 OK", manifest)]
            case assetPath: asset(count)
            default: [.notFound]
            }
        }
    }

    static let half = Array(file.data[..<150_000])
    static let faults: [(String, [RawServer.Step])] = [
        ("cut", [.answer("200 OK", half, length: file.data.count)]),
        ("cut without a length", [.unbounded(half)]),
        ("reset", [.answer("200 OK", half, length: file.data.count), .reset]),
        ("closed before the answer", []),
        ("reset before the answer", [.reset]),
        ("no HTTP", [.send(Array("SSH-2.0-OpenSSH\r\n\r\n".utf8))]),
        ("500", [.answer("500 Internal Server Error", Array("oh".utf8))]),
        ("429", [.answer("429 Too Many Requests")]),
        ("stall in the head", [.send(Array("HTTP/1.1 200".utf8)), .stall]),
        ("stall in the body", [.answer("200 OK", half, length: file.data.count), .stall]),
    ]

    @Test("a passing fault is overcome without a word", arguments: faults.indices)
    func passingFault(index: Int) async throws {
        let (name, steps) = Self.faults[index]
        let server = try Self.server { count in count < 2 ? steps : [.answer("200 OK", Self.file.data)] }
        // Only a stall has to be waited for.
        let bench = try Bench(server.baseURL) { if name.hasPrefix("stall") { $0.idleTimeout = .seconds(20) } }
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedBytes == 300_000)
        await bench.log.expectFailures(0)
        #expect(server.count(Self.assetPath) == 3)
        #expect(try bench.files(hall) == [Self.file.sha256: Self.file.data])
        try await bench.waitForNoLeftovers()
        await bench.sync.shutdown()
    }

    @Test("a lasting fault is told once, and its end is noticed", arguments: faults.indices)
    func lastingFault(index: Int) async throws {
        let (name, steps) = Self.faults[index]
        // It lasts until this test has looked: the next tries come within milliseconds.
        let isSeen = Atomic(false)
        let server = try Self.server { count in
            count < 9 || !isSeen.load(ordering: .relaxed) ? steps : [.answer("200 OK", Self.file.data)]
        }
        let bench = try Bench(server.baseURL) { if name.hasPrefix("stall") { $0.idleTimeout = .seconds(3) } }
        await bench.sync.want(hall)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.isTransient && !stillHasOld, "\(error)")
        #expect(bench.store.content(for: hall) == nil)
        isSeen.store(true, ordering: .relaxed)
        try await bench.log.recovered()
        _ = try await bench.log.ready()
        await bench.log.expectFailures(1)
        #expect(try bench.files(hall) == [Self.file.sha256: Self.file.data])
        await bench.sync.shutdown()
    }

    @Test("a body that ends early is a connection that was closed, not another protocol")
    func bodyThatEndsEarly() async throws {
        let server = try Self.server { _ in [.answer("200 OK", Self.half, length: Self.file.data.count)] }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.code == .connection && error.cause == "the connection was closed early", "\(error)")
        await bench.sync.shutdown()
    }

    @Test("a longer body than promised is cut off, wherever the length is")
    func longerBody() async throws {
        let long = Self.file.data + [0]
        for steps: [RawServer.Step] in [[.answer("200 OK", long)], [.unbounded(long)]] {
            let server = try Self.server { _ in steps }
            let bench = try Bench(server.baseURL)
            await bench.sync.want(hall)
            #expect(try await bench.log.failure().error.code == .tooLarge)
            try await bench.waitForNoLeftovers()
            #expect(bench.store.assetPath(Self.file.sha256) == nil)
            await bench.sync.shutdown()
        }
    }

    @Test("a claim of 10 GB is refused before a byte is kept")
    func claimOf10() async throws {
        let server = try Self.server { _ in [.answer("200 OK", Self.half, length: 10_000_000_000), .stall] }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        #expect(try await bench.log.failure().error.code == .tooLarge)
        await bench.sync.shutdown()
    }

    @Test("a shorter file than promised is a wrong file")
    func shorterFile() async throws {
        let server = try Self.server { _ in [.answer("200 OK", Self.half)] }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.code == .hash && error.description.contains("150000"))
        await bench.sync.shutdown()
    }

    @Test("a flipped bit is found")
    func flippedBit() async throws {
        var flipped = Self.file.data
        flipped[123_456] ^= 1
        let server = try Self.server { [flipped] _ in [.answer("200 OK", flipped)] }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        #expect(try await bench.log.failure().error.code == .hash)
        #expect(bench.store.assetPath(Self.file.sha256) == nil)
        await bench.sync.shutdown()
    }

    @Test("a page that a portal puts in the way replaces nothing")
    func pageThatPortal() async throws {
        let page = Array("<html>Please log in</html>".utf8)
        let server = try RawServer { path, count in
            switch path {
            case Self.manifestPath where count == 0: [.answer("200 OK", Self.manifest)]
            case Self.assetPath: [.answer("200 OK", Self.file.data)]
            case "/v1/site.json" where count == 0: [.notFound]
            default: [.answer("200 OK", page)]
            }
        }
        let bench = try Bench(server.baseURL) { $0.listAbsenceLifetime = .zero }
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        await bench.sync.want(hall)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.code == .format && stillHasOld)
        #expect(error.description.contains("not valid JSON"), "\(error)")
        #expect(try bench.files(hall) == [Self.file.sha256: Self.file.data])
        await bench.sync.shutdown()
    }

    @Test("Retry-After is obeyed, also by the next beacon")
    func retryAfterIsObeyed() async throws {
        let server = try RawServer { path, count in
            path == "/v1/site.json" && count == 0
                ? [.answer("503 Service Unavailable", fields: "Retry-After: 3600\r\n")] : [.notFound]
        }
        let clock = ManualClock()
        // Longer than what is waited for inside a request, and shorter than what the server asks for.
        let bench = try Bench(server.baseURL, time: ContentTime(clock: clock, now: ContentTime.system.now)) {
            $0.maximumRetryAfter = .seconds(30)
        }
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.code == .unavailable && error.retryAfter == .seconds(3600))
        await bench.sync.want(shop)
        _ = try await bench.log.next("waiting") { if case .waiting(shop, _) = $0 { true } else { false } }
        clock.advance(by: .milliseconds(29_900))
        await bench.sync.want(attic)
        _ = try await bench.log.next("waiting") { if case .waiting(attic, _) = $0 { true } else { false } }
        #expect(server.count("/v1/site.json") == 1)
        // It waits to try again.
        try await clock.sleepers(1)
        clock.advance(by: .seconds(10))
        try await bench.log.recovered()
        try await bench.log.nothing()
        await bench.sync.shutdown()
    }

    @Test("a sync of a whole site without a list includes stored manifests of a whole major")
    func wholeMajor() async throws {
        let path = "/v1/beacons/\(hall.uuid)/\(hall.major).json"
        let server = try RawServer { asked, count in
            guard asked == path else { return [.notFound] }
            return [.answer("200 OK", Array(#"{"format":1,"images":[],"updated_at":"\#(count)"}"#.utf8))]
        }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        let summary = try await bench.sync.syncAll()
        #expect(summary.updated == [.major(hall.uuid, hall.major)] && summary.failed.isEmpty)
        #expect(server.count(path) == 2)
        await bench.sync.shutdown()
    }

    @Test("nobody listens")
    func nobodyListens() async throws {
        let bench = try Bench("http://127.0.0.1:\(try freePort())")
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.code == .connection && error.description.contains("refused"), "\(error)")
        await bench.sync.shutdown()
    }

    @Test("a name that no resolver knows")
    func nameThatNoResolver() async throws {
        let bench = try Bench("http://content.invalid")
        await bench.sync.want(hall)
        let error = try await bench.log.failure().error
        #expect(error.isTransient && error.place.contains("content.invalid"), "\(error)")
        await bench.sync.shutdown()
    }

    @Test("a request that trickles is ended by the whole limit")
    func requestThatTrickles() async throws {
        let server = try RawServer { _, _ in [.answer("200 OK", [123], length: 2), .stall] }
        let bench = try Bench(server.baseURL) { $0.documentTimeout = .milliseconds(300) }
        await bench.sync.want(hall)
        #expect(try await bench.log.failure().error.code == .timeout)
        await bench.sync.shutdown()
    }

    @Test("shutting down ends a stalled request")
    func shuttingDown() async throws {
        let server = try Self.server { _ in [.answer("200 OK", Self.half, length: Self.file.data.count), .stall] }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.next("progress") {
            if case .progress(_, let progress) = $0 { progress.bytes > 0 } else { false }
        }
        await bench.sync.shutdown()
        try await bench.log.end()
        await bench.log.expectFailures(0)
        #expect(try bench.leftovers().isEmpty)
    }
}
