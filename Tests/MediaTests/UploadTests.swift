import Curation
import Foundation
import Glibc
import Media
import SiteFormat
import TestSupport
import Testing

@Suite("Uploads", .timeLimit(.minutes(10)))
struct UploadTests {
    private let captions = Array(Containers.captions.utf8)

    @Test("a file is stored under its hash, and the same bytes only once")
    func stored() async throws {
        let bench = try MediaBench()
        let first = try await bench.library.add(captions, name: "bridge.vtt")
        let second = try await bench.library.add(captions, name: "other.vtt")
        #expect(first.hash == AssetHash(of: captions) && second.hash == first.hash)
        #expect(first.name == "bridge.vtt" && first.mediaType == "text/vtt" && first.bytes == Int64(captions.count))
        #expect(bench.files("media") == ["\(first.hash)"] && bench.files("uploads") == [])
        #expect(bench.library.bytes == first.bytes)
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.library.path(of: first.hash)))) == captions)
    }

    @Test(
        "what root adds to the folder of a service belongs to the service", .enabled(if: geteuid() == 0, "this is not root"))
    func owner() async throws {
        let folder = try TemporaryFolder()
        try #require(chown(folder.path, 65_534, 65_534) == 0)
        let library = try MediaLibrary(folder: folder.path, helper: ImageHelper(program: nil))
        let file = library.path(of: try await library.add(captions, name: "bridge.vtt").hash)
        let part = URL(fileURLWithPath: file).deletingLastPathComponent().path
        for path in [folder.path("uploads"), folder.path("media"), folder.path("thumbnails"), part, file] {
            var status = stat()
            let isThere = stat(path, &status) == 0
            #expect(isThere && status.st_uid == 65_534 && status.st_gid == 65_534, "\(path)")
        }
    }

    @Test("the same bytes that come several times at once count once")
    func atOnce() async throws {
        let bench = try MediaBench()
        let library = bench.library
        for round in 0..<20 {
            let file = captions + Array("\n\nNOTE \(round)\n".utf8)
            let hashes = try await withThrowingTaskGroup(of: AssetHash.self) { group in
                for number in 0..<8 { group.addTask { try await library.add(file, name: "\(number).vtt").hash } }
                return try await group.reduce(into: Set<AssetHash>()) { $0.insert($1) }
            }
            #expect(hashes.count == 1)
        }
        // What a restart would count.
        let again = try MediaLibrary(folder: bench.folder.path, helper: ImageHelper(program: nil))
        #expect(library.bytes == again.bytes && library.bytes > 0)
    }

    @Test("a picture is read once, however many of its octets are escaped")
    func dense() async throws {
        let bench = try MediaBench()
        // A scan that consists of escaped octets and has no end.
        let picture: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
            + (0..<500_000).flatMap { _ in [0xFF, 0x00] as [UInt8] }
        let before = try Self.octetsRead()
        #expect(await bench.refusal(of: picture)?.code == .damaged)
        // Others in this process read, too: 64 KiB for each escaped octet would be 30 GiB.
        #expect(try Self.octetsRead() - before < 16 << 30)
    }

    /// By this process, in all system calls. proc(5).
    private static func octetsRead() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
        return try #require(Int(line.dropFirst("rchar: ".count)))
    }

    @Test("100 MB that begin as a picture are refused while they arrive")
    func tooLarge() async throws {
        let bench = try MediaBench()
        let upload = try await bench.library.beginUpload(name: "huge.png")
        var sent = 0
        let error = await #expect(throws: MediaError.self) {
            try await upload.write(Array(PNGMaker().octets.prefix(64)))
            for _ in 0..<100 {
                try await upload.write([UInt8](repeating: 1, count: 1 << 20))
                sent += 1
            }
        }
        #expect(error?.code == .tooLarge && error?.place == "huge.png")
        #expect(sent == 39)
        #expect(bench.files("uploads") == [])
        // And nothing more is taken.
        await #expect(throws: MediaError.self) { try await upload.write([1]) }
        await #expect(throws: MediaError.self) { try await bench.library.finish(upload) }
    }

    @Test("what cannot be shown is refused by its first bytes")
    func early() async throws {
        let bench = try MediaBench()
        let upload = try await bench.library.beginUpload(name: "picture.png")
        let error = await #expect(throws: MediaError.self) {
            try await upload.write(Array("This is a text, named as a picture".utf8))
        }
        #expect(error?.code == .unsupported && bench.files("uploads") == [])
    }

    @Test("what is abandoned leaves nothing behind")
    func abandoned() async throws {
        let bench = try MediaBench()
        do {
            let upload = try await bench.library.beginUpload(name: "a.vtt")
            try await upload.write(captions)
            #expect(bench.files("uploads").count == 1)
            await upload.abandon()
            #expect(bench.files("uploads") == [])
            let forgotten = try await bench.library.beginUpload(name: "b.vtt")
            try await forgotten.write(captions)
        }
        try await waitUntil("the forgotten upload is gone") { bench.files("uploads") == [] }
    }

    @Test("only so many uploads run at the same time, and one that ends makes room")
    func parallel() async throws {
        var limits = MediaLimits()
        limits.uploads = 2
        let bench = try MediaBench(limits)
        let first = try await bench.library.beginUpload(name: "a")
        let second = try await bench.library.beginUpload(name: "b")
        let error = await #expect(throws: MediaError.self) { try await bench.library.beginUpload(name: "c") }
        #expect(error?.code == .busy)
        await first.abandon()
        try await bench.library.beginUpload(name: "c").abandon()
        await second.abandon()
    }

    @Test("an upload that has arrived makes room for another one, up to a limit of its own")
    func arrived() async throws {
        var limits = MediaLimits()
        limits.uploads = 1
        limits.arrivedUploads = 2
        let bench = try MediaBench(limits)
        var uploads: [MediaUpload] = []
        for number in 0..<2 {
            let upload = try await bench.library.beginUpload(name: "\(number).vtt")
            try await upload.write(captions)
            await upload.arrived()
            await upload.arrived()
            uploads.append(upload)
        }
        let error = await #expect(throws: MediaError.self) { try await bench.library.beginUpload(name: "c") }
        #expect(error?.code == .busy)
        _ = try await bench.library.finish(uploads[0])
        let last = try await bench.library.beginUpload(name: "c")
        // One that arrives still counts.
        await #expect(throws: MediaError.self) { try await bench.library.beginUpload(name: "d") }
        await last.abandon()
        await uploads[1].abandon()
        try await bench.library.beginUpload(name: "e").abandon()
    }

    @Test("the library's limit holds, and what is removed makes room")
    func full() async throws {
        var limits = MediaLimits()
        limits.totalBytes = Int64(captions.count) + 10
        let bench = try MediaBench(limits)
        let first = try await bench.library.add(captions, name: "a.vtt")
        let other = captions + Array("\n00:59.000 --> 02:00.000\nend\n".utf8)
        #expect(await bench.refusal(of: other)?.code == .full)
        #expect(bench.files("media").count == 1 && bench.files("uploads") == [])
        try await bench.library.remove(first.hash)
        #expect(bench.library.bytes == 0)
        let shorter = captions.dropLast(3)
        _ = try await bench.library.add(Array(shorter), name: "b.vtt")
    }

    static let names: [(String, String)] = [
        ("../../etc/passwd", "../../etc/passwd"), ("جسر-الكاتدرائية.vtt", "جسر-الكاتدرائية.vtt"),
        ("a\u{0}b\nc\u{1B}[31m.vtt", "a\u{FFFD}b c\u{FFFD}[31m.vtt"), ("", ""),
        (
            String(repeating: "ß", count: 200),
            String(repeating: "ß", count: 60) + "…" + String(repeating: "ß", count: 59)
        ),
    ]

    @Test("a name is only shown: no part of a path, and no control characters", arguments: names)
    func named(_ given: String, _ shown: String) async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(captions, name: given)
        #expect(document.name == shown)
        #expect(bench.files("media") == ["\(document.hash)"])
    }

    @Test("what was left over by an abrupt end is removed at the start, and what was stored is counted")
    func start() async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(captions, name: "a.vtt")
        try "part".write(toFile: "\(bench.folder)/uploads/1-2.part", atomically: false, encoding: .utf8)
        let again = try MediaLibrary(folder: bench.folder.path, helper: ImageHelper(program: nil))
        #expect(bench.files("uploads") == [] && again.bytes == document.bytes)
    }

    @Test("a command that opens the library of a server leaves its uploads alone")
    func shared() async throws {
        let bench = try MediaBench()
        let upload = try await bench.library.beginUpload(name: "a.vtt")
        try await upload.write(captions)
        _ = try MediaLibrary(folder: bench.folder.path, helper: ImageHelper(program: nil))
        #expect(try await bench.library.finish(upload).bytes == Int64(captions.count))
    }

    @Test("what nothing needs is swept, unless it is new")
    func sweep() async throws {
        let bench = try MediaBench()
        let kept = try await bench.library.add(captions, name: "a.vtt")
        let other = try await bench.library.add(captions + [10], name: "b.vtt")
        #expect(try await bench.library.sweep(needed: [kept.hash]) == 0)
        #expect(try await bench.library.sweep(needed: [kept.hash], olderThan: 0) == other.bytes)
        #expect(bench.files("media") == ["\(kept.hash)"] && bench.library.bytes == kept.bytes)
    }

    @Test("a check finds what is missing, changed, unused and foreign")
    func check() async throws {
        let bench = try MediaBench()
        let kept = try await bench.library.add(captions, name: "a.vtt")
        let unused = try await bench.library.add(captions + [10], name: "b.vtt")
        let changed = try await bench.library.add(captions + [10, 10], name: "c.vtt")
        try Data(captions).write(to: URL(fileURLWithPath: bench.library.path(of: changed.hash)))
        try Data().write(to: URL(fileURLWithPath: "\(bench.folder)/media/aa"))
        let folder = URL(fileURLWithPath: bench.library.path(of: kept.hash)).deletingLastPathComponent().path
        try Data().write(to: URL(fileURLWithPath: "\(folder)/note.txt"))
        let missing = AssetHash(of: [1])
        let needed: Set = [kept.hash, changed.hash, missing]
        let young = try await bench.library.check(needed: needed)
        #expect(Set(young.map(\.kind)) == [.missing, .damaged, .foreign], "its document may not be saved yet")
        let findings = try await bench.library.check(needed: needed, unusedFor: 0)
        let kinds = Dictionary(grouping: findings, by: \.kind).mapValues { $0.map(\.hash) }
        #expect(kinds == [.missing: [missing], .damaged: [changed.hash], .unused: [unused.hash], .foreign: [nil]])
    }

    @Test("a folder that cannot be made is an error that names it")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("file")))
        let error = #expect(throws: MediaError.self) {
            try MediaLibrary(folder: folder.path("file"), helper: ImageHelper(program: nil))
        }
        #expect(error?.code == .system && error?.place.contains("file/uploads") == true)
    }
}
