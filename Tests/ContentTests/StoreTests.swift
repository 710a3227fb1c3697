import Beacon
import Content
import Foundation
import Logging
import SiteFormat
import Synchronization
import TestSupport
import Testing

/// States of the disk as a kill, a power cut or a meddler may leave them.
@Suite(.timeLimit(.minutes(10)))
struct StoreTests {
    let folder: String
    let file = asset(1, bytes: 100)

    init() throws {
        folder = try temporaryFolder("store")
    }

    func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func manifest(name: String) -> String {
        """
        {"format":1,"beacon":{"uuid":"\(hall.uuid)","name":"\(name)"},"images":[{"id":"1",
        "asset":{"sha256":"\(file.sha256)","bytes":100}}]}
        """
    }

    func writeContent() throws {
        try write(manifest(name: "exact"), to: "beacons/\(hall).json")
        try write(manifest(name: "major"), to: "beacons/\(hall.uuid)/1.json")
        try write(manifest(name: "uuid"), to: "beacons/\(hall.uuid).json")
        try write(manifest(name: "none"), to: "uncategorized.json")
        try write(file.data, to: "assets/\(file.sha256.prefix(2))/\(file.sha256)")
    }

    @Test("the most exact stored manifest counts")
    func mostExact() throws {
        try writeContent()
        let store = try ContentStore(directory: folder + "/")
        #expect(store.content(for: hall)?.name == "exact")
        #expect(store.content(for: shop)?.name == "major")
        #expect(store.content(for: attic)?.name == "uuid")
        #expect(store.content(for: nil)?.name == "none")
        #expect(store.content(for: BeaconID(uuid: ProximityUUID(5), major: 1, minor: 1)) == nil)
        #expect(try store.list().map(\.scope.description) == [
            "\(hall.uuid)", "\(hall.uuid)/1", "\(hall)", "uncategorized",
        ])
        let content = try #require(store.content(for: hall))
        #expect(content.bytes == 100 && content.assets == 1 && content.files == [store.assetPath(file.sha256)])
        #expect(content.validatedAt == nil)
    }

    @Test("without a list, stored manifests give the names of their beacons")
    func namesOfManifests() async throws {
        try writeContent()
        let bench = try Bench("http://127.0.0.1", directory: folder)
        func names() async -> [BeaconID: String] {
            let names = Mutex<[BeaconID: String]>([:])
            await bench.sync.storedNames { new in names.withLock { $0.merge(new) { $1 } } }
            return names.withLock { $0 }
        }
        #expect(await names() == [hall: "exact"])
        for minor in 1000..<1200 {
            try write(manifest(name: "\(minor)"), to: "beacons/\(hall.uuid)/1/\(minor).json")
        }
        let many = await names()
        #expect(many.count == 201 && many[BeaconID(uuid: hall.uuid, major: 1, minor: 1199)] == "1199")
        try write(DocumentTests.list(DocumentTests.line("", "v1/beacons/\(hall.uuid).json")), to: "site.json")
        #expect(await names().isEmpty, "the list has the names")
        await bench.sync.shutdown()
    }

    @Test("a stored list hides what it does not have")
    func storedList() throws {
        try writeContent()
        let hash = String(repeating: "0", count: 64)
        try write(
            """
            {"format":1,"revision":1,"beacons":[{"uuid":"\(hall.uuid)","major":1,"name":"listed",
            "manifest":"x.json","sha256":"\(hash)"}],"uncategorized":null}
            """, to: "site.json")
        let store = try ContentStore(directory: folder)
        #expect(store.content(for: hall)?.name == "listed")
        #expect(store.content(for: attic) == nil && store.content(for: nil) == nil)
        #expect(try store.list().count == 1)
        // A broken list is as none: what is there is better than nothing.
        try write("{\"format\":", to: "site.json")
        #expect(store.content(for: attic)?.name == "uuid")
    }

    @Test("foreign files do no harm")
    func foreignFiles() throws {
        try writeContent()
        try write("x", to: "beacons/readme.txt")
        try write("x", to: "beacons/\(hall.uuid)/70000.json")
        try write("x", to: "beacons/\(hall.uuid)/1/-1.json")
        try write("x", to: "beacons/\(hall.uuid)/01/1.json")
        try write("x", to: "assets/zz/nothing")
        try write("{", to: "beacons/\(attic).json")
        let store = try ContentStore(directory: folder)
        #expect(try store.list().map(\.name) == ["uuid", "major", "exact", "none"])
        #expect(store.content(for: attic)?.name == "uuid", "a manifest that cannot be read is passed over")
        #expect(store.damagedAssets().isEmpty)
    }

    @Test("hostile names never become paths")
    func hostileNames() throws {
        try write("secret", to: "secret")
        // So that there is a way up.
        try write("x", to: "store/assets/readme")
        let store = try ContentStore(directory: "\(folder)/store")
        for name in [
            "../secret", "../../etc/passwd", "", "..", "/etc/passwd", String(repeating: "../", count: 21) + "x",
            String(repeating: "g", count: 64), String(repeating: "0", count: 63) + "/", file.sha256 + "0",
            String(repeating: "é", count: 32), String(repeating: "0", count: 62) + "\0a",
        ] {
            #expect(store.assetPath(name) == nil)
        }
        #expect(store.assetPath(file.sha256) == nil)
        try write(file.data, to: "store/assets/\(file.sha256.prefix(2))/\(file.sha256)")
        #expect(store.assetPath(file.sha256.uppercased())?.hasPrefix("\(folder)/store") == true)
    }

    @Test("damaged and missing assets are seen")
    func damagedAndMissing() throws {
        try writeContent()
        let store = try ContentStore(directory: folder)
        #expect(store.damagedAssets().isEmpty)
        let path = "assets/\(file.sha256.prefix(2))/\(file.sha256)"
        try write([UInt8](repeating: 0, count: 100), to: path)
        #expect(store.damagedAssets() == [file.sha256])
        try write([1], to: path)
        let content = try #require(store.content(for: hall))
        #expect(content.missing == 1 && content.files.isEmpty && content.assets == 1)
    }

    @Test("leftovers are removed by the writer, not by readers, and there is one writer")
    func leftoversAreRemoved() async throws {
        try writeContent()
        try write("half", to: "tmp/17")
        try write("{\"sha256\":\"tr", to: "beacons/\(hall).meta")
        let store = try ContentStore(directory: folder)
        #expect(FileManager.default.fileExists(atPath: "\(folder)/tmp/17"))
        #expect(store.content(for: hall)?.validatedAt == nil)
        let bench = try Bench("http://127.0.0.1:9", directory: folder)
        #expect(try bench.leftovers().isEmpty)
        let error = #expect(throws: ContentError.self) { _ = try Bench("http://127.0.0.1:9", directory: folder) }
        #expect(error?.code == .locked)
        await bench.sync.shutdown()
        let again = try Bench("http://127.0.0.1:9", directory: folder)
        await again.sync.shutdown()
        await again.sync.shutdown()
    }

    @Test("each of several calls that end a sync returns when the store is free")
    func endedTogether() async throws {
        let sync = try Bench("http://127.0.0.1:9", directory: folder).sync
        let lock = "\(folder)/lock"
        let areFree = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await sync.shutdown()
                    return Self.isFree(lock)
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(areFree)
    }

    /// Whether nobody has the lock of a file for itself.
    private static func isFree(_ lock: String) -> Bool {
        let descriptor = open(lock, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0
    }

    @Test("a directory that cannot be is told")
    func directoryThatCannot() throws {
        try write("x", to: "file")
        let error = #expect(throws: ContentError.self) { _ = try ContentStore(directory: "\(folder)/file/store") }
        #expect(error?.code == .storage && error?.place.contains("\(folder)/file") == true)
        #expect(throws: ContentError.self) { _ = try ContentStore(directory: "") }
    }

    /// The side file is stale, truncated or of another manifest: the manifest is asked for without a condition.
    @Test(
        "a side file that does not fit costs one request",
        .enabled(if: Nginx.program != nil, "nginx is not installed"), arguments: 0..<4)
    func sideFile(kind: Int) async throws {
        var site = try ContentSite()
        site.hasList = false
        site.pages[.beacon(hall)] = .init(name: "Hall", images: [image(1)])
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try Bench(nginx.baseURL, directory: folder)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        await bench.sync.shutdown()
        let side = "\(folder)/beacons/\(hall).meta"
        let text = try String(contentsOfFile: side, encoding: .utf8)
        switch kind {
        case 0: try FileManager.default.removeItem(atPath: side)
        case 1: try String(text.prefix(30)).write(toFile: side, atomically: false, encoding: .utf8)
        case 2: try "".write(toFile: side, atomically: false, encoding: .utf8)
        default:
            // The manifest was damaged, its side file not.
            try "{}".write(toFile: "\(folder)/beacons/\(hall).json", atomically: false, encoding: .utf8)
        }
        let again = try Bench(nginx.baseURL, directory: folder)
        await again.sync.want(hall)
        let summary = try await again.log.ready()
        #expect(summary.fetchedAssets == 0)
        #expect(try nginx.requests().suffix(1).map(\.status) == [200])
        await again.sync.want(hall)
        _ = try await again.log.ready()
        #expect(try nginx.requests().suffix(1).map(\.status) == [304])
        await again.sync.shutdown()
    }
}
