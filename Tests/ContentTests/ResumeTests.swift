import Beacon
import Content
import Foundation
import Synchronization
import TestSupport
import Testing

/// Downloads that were broken off go on where they ended.
@Suite(.timeLimit(.minutes(10)))
struct ResumeTests {
    static let file = FaultTests.file
    static let half = FaultTests.half

    func put(_ bytes: [UInt8], etag: String? = nil, into folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/partial", withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/partial/\(Self.file.sha256)"))
        if let etag {
            try etag.write(
                toFile: "\(folder)/partial/\(Self.file.sha256).etag", atomically: false, encoding: .utf8)
        }
    }

    func site() throws -> ContentSite {
        var site = try ContentSite()
        site.pages[.beacon(hall)] = .init(name: "Hall", images: [.init(id: "1", asset: Self.file)])
        try site.publish()
        return site
    }

    /// What is there of an asset, how it came, and what the server then has to send.
    struct Case: Sendable, CustomStringConvertible {
        var description: String
        var bytes: [UInt8]
        var etag: String?
        var sent: Int
        var requests: Int
    }

    static let spoiled: [UInt8] = [half[0] ^ 1] + half.dropFirst()

    static let cases = [
        Case(description: "a half", bytes: half, sent: 150_000, requests: 1),
        Case(description: "a half of another version", bytes: half, etag: "\"other\"", sent: 300_000, requests: 1),
        Case(description: "a spoiled half", bytes: spoiled, sent: 450_000, requests: 2),
        Case(description: "all", bytes: file.data, sent: 0, requests: 0),
        Case(
            description: "all, spoiled", bytes: [file.data[0] ^ 1] + file.data.dropFirst(), sent: 300_000, requests: 1),
        Case(description: "too much", bytes: file.data + [0], sent: 300_000, requests: 1),
        Case(description: "nothing", bytes: [], sent: 300_000, requests: 1),
    ]

    @Test(
        "what is there is used, if it is good",
        .enabled(if: Nginx.program != nil, "nginx is not installed"), arguments: cases)
    func whatIsThereIsUsed(example: Case) async throws {
        let nginx = try Nginx(serving: try site().folder)
        let folder = try temporaryFolder("store")
        try put(example.bytes, etag: example.etag, into: folder)
        let bench = try Bench(nginx.baseURL, directory: folder)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        #expect(try bench.files(hall) == [Self.file.sha256: Self.file.data])
        let requests = try nginx.requests().filter { $0.path.contains("/assets/") }
        #expect(requests.reduce(0) { $0 + $1.bytes } == example.sent)
        #expect(requests.count == example.requests)
        await bench.sync.shutdown()
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/partial").isEmpty)
    }

    @Test("a tag without its file goes at the next start")
    func tagWithout() async throws {
        let folder = try temporaryFolder("store")
        try put(Self.half, etag: "\"a\"", into: folder)
        let other = String(repeating: "0", count: 64)
        try "\"b\"".write(toFile: "\(folder)/partial/\(other).etag", atomically: false, encoding: .utf8)
        let bench = try Bench("http://127.0.0.1:1", directory: folder)
        await bench.sync.shutdown()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/partial"))
            == [Self.file.sha256, "\(Self.file.sha256).etag"])
    }

    @Test("a cut download goes on with Range and If-Range")
    func cutDownload() async throws {
        let requests = Mutex<[String]>([])
        let server = try RawServer(requests: { request in
            if request.contains("/assets/") { requests.withLock { $0.append(request) } }
        }) { path, count in
            switch path {
            case FaultTests.manifestPath: [.answer("200 OK", FaultTests.manifest)]
            case FaultTests.assetPath where count == 0:
                [.answer("200 OK", Self.half, length: Self.file.data.count, fields: "ETag: \"v1\"\r\n")]
            case FaultTests.assetPath: [Self.rest(requests.withLock { $0.last ?? "" })]
            default: [.notFound]
            }
        }
        let bench = try Bench(server.baseURL)
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedBytes == 300_000)
        let heads = requests.withLock { $0 }
        #expect(heads.count == 2 && !heads[0].lowercased().contains("range:"))
        #expect(heads.last?.contains("Range: bytes=") == true && heads.last?.contains("If-Range: \"v1\"") == true)
        #expect(try bench.files(hall) == [Self.file.sha256: Self.file.data])
        await bench.sync.shutdown()
    }

    /// What a server has to send for a `Range` to the end; what was in buffers when the connection broke may come
    /// again.
    static func rest(_ request: String) -> RawServer.Step {
        let start = request.firstRange(of: /bytes=[0-9]+-/).flatMap { Int(request[$0].dropFirst(6).dropLast()) } ?? 0
        return .answer(
            "206 Partial Content", Array(file.data[start...]),
            fields: "Content-Range: bytes \(start)-299999/300000\r\nETag: \"v1\"\r\n")
    }

    @Test("a part that was not asked for is not used", arguments: [
        "Content-Range: bytes 0-299999/300000\r\n", "Content-Range: bytes 150000-299999/400000\r\n", "",
        "Content-Range: bytes 150000-999999/1000000\r\n", "Content-Range: lines 1-2/3\r\n",
    ])
    func partThatWasNotAsked(field: String) async throws {
        let server = try FaultTests.server { count in
            count == 0
                ? [.answer("206 Partial Content", Array(Self.file.data[150_000...]), fields: field)]
                : [.answer("200 OK", Self.file.data)]
        }
        let folder = try temporaryFolder("store")
        try put(Self.half, into: folder)
        let bench = try Bench(server.baseURL, directory: folder)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        #expect(server.count(FaultTests.assetPath) == 2)
        #expect(try bench.files(hall) == [Self.file.sha256: Self.file.data])
        await bench.sync.shutdown()
    }

    @Test("Content-Range is read strictly")
    func contentRangeIsRead() {
        #expect(ContentRange("bytes 1-2/3")?.total == 3)
        #expect(ContentRange("bytes 1-2/*")?.last == 2)
        for text in ["", "bytes */3", "bytes 2-1/3", "bytes 1-2/2", "bytes -1-2/3", "bytes 1-2", "bytes a-b/c"] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
    }
}
