import Beacon
import ContentServer
import Curation
import CurationStore
import Foundation
import Logging
import Publishing
import SiteFormat
import Synchronization
import TestSupport
import Testing

/// Publishing with the real store, at instants that the tests choose.
@Suite(.timeLimit(.minutes(10))) struct PublisherTests {
    private let folder: TemporaryFolder
    private let store: CurationStore
    private let clock = Clock()

    private final class Clock: Sendable {
        let now = Mutex(Moment(Timestamp(seconds: 1_780_000_000)))

        func advance(_ seconds: Double) -> Moment {
            now.withLock { now in
                now = Moment(now.time.advanced(bySeconds: seconds))
                return now
            }
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = try CurationStore(folder: folder.path)
    }

    private func publisher(key: SigningKey? = nil) -> Publisher {
        let (folder, clock) = (folder, clock)
        return Publisher(
            store: store, media: { folder.path("\($0)") }, key: key, logger: Logger(label: "test")
        ) { clock.now.withLock(\.self) }
    }

    /// A beacon with one image, valid until then.
    @discardableResult
    private func addBeacon(_ minor: UInt16, until: Moment? = nil) async throws -> DocumentID {
        let now = clock.now.withLock(\.self)
        let bytes = [UInt8("picture \(minor)".utf8.count)] + Array("picture \(minor)".utf8)
        let media = MediaDocument(hash: AssetHash(of: bytes), bytes: Int64(bytes.count), mediaType: "image/png")
        let picture = try await store.save(.media(media), as: nil, over: nil, by: Author("eva"), at: now)
        var beacon = BeaconDocument()
        beacon.uuid = ProximityUUID("636f3f8f-6491-4bee-95f7-d8cc64a863b5")
        (beacon.major, beacon.minor) = (1, minor)
        let saved = try await store.save(.beacon(beacon), as: nil, over: nil, by: Author("eva"), at: now)
        var image = ImageDocument()
        image.beacon = saved.id
        image.picture = PictureUse(picture.id)
        image.validUntil = until
        return try await store.save(.image(image), as: nil, over: nil, by: Author("eva"), at: now).id
    }

    private func manifest(_ publisher: Publisher, _ minor: UInt16) async throws -> Manifest {
        let path = "beacons/636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/\(minor).json"
        guard case .bytes(let bytes, _, _)? = try await publisher.file(path) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try Manifest(json: bytes)
    }

    @Test("nothing is served before the first publication, and everything of it afterwards")
    func publishes() async throws {
        let publisher = publisher(key: SigningKey(id: "key"))
        try await addBeacon(1)
        #expect(try await publisher.file("site.json") == nil)
        let revision = try await publisher.publish(note: "first", by: Author("eva"))
        #expect(publisher.site?.revision == revision)
        guard case .bytes(let list, let hash, false)? = try await publisher.file("site.json") else {
            Issue.record("no list")
            return
        }
        let entries = try SiteList(json: list).entries
        #expect(!entries.isEmpty)
        for (_, entry) in entries {
            guard case .bytes(let bytes, entry.sha256, true)? = try await publisher.file(entry.manifest.description)
            else {
                Issue.record("no manifest")
                return
            }
            let assets = try Manifest(json: bytes).assets
            #expect(!assets.isEmpty)
            for asset in assets {
                let file = try await publisher.file("assets/\(asset.sha256)")
                #expect(
                    file
                        == .media(
                            path: folder.path("\(asset.sha256)"), hash: asset.sha256,
                            BuiltAsset(bytes: asset.bytes, mediaType: "image/png")))
            }
        }
        #expect(try await publisher.file("signatures/\(hash)") != nil)
    }

    @Test("what an old list names is found for a day, and then no more")
    func oldFiles() async throws {
        let publisher = publisher()
        let image = try await addBeacon(1)
        try await publisher.publish(by: Author("eva"))
        let first = try #require(publisher.site?.built)
        try await store.delete(image, by: Author("eva"), at: clock.advance(1))
        try await publisher.publish(by: Author("eva"))
        let old = first.files.keys.filter { $0.hasPrefix("manifests/") && publisher.site?.built.files[$0] == nil }
        #expect(!old.isEmpty)
        let asset = try #require(first.assets.keys.first)
        _ = clock.advance(86_399)
        for path in old + ["assets/\(asset)"] { #expect(try await publisher.file(path) != nil, "\(path)") }
        _ = clock.advance(2)
        for path in old + ["assets/\(asset)"] { #expect(try await publisher.file(path) == nil, "\(path)") }
    }

    @Test("content leaves the site at its set time, in a revision of the schedule, and only once")
    func schedule() async throws {
        let publisher = publisher()
        let end = clock.advance(100)
        _ = clock.advance(-100)
        try await addBeacon(1, until: end)
        try await publisher.publish(by: Author("eva"))
        _ = clock.advance(99)
        #expect(try await publisher.publishIfDue() == false)
        #expect(try await manifest(publisher, 1).images.count == 1)
        _ = clock.advance(1)
        #expect(try await publisher.publishIfDue())
        #expect(publisher.site?.revision.kind == .schedule)
        #expect(try await manifest(publisher, 1).images.isEmpty)
        #expect(try await publisher.publishIfDue() == false)
        _ = clock.advance(86_400)
        #expect(try await publisher.publishIfDue() == false)
    }

    @Test("what another process publishes is noticed")
    func otherProcess() async throws {
        let (mine, other) = (publisher(), publisher())
        try await addBeacon(1)
        try await other.publish(by: Author("eva"))
        #expect(mine.site == nil)
        try await mine.refresh()
        #expect(mine.site?.built == other.site?.built)
        #expect(mine.site?.revision == other.site?.revision)
    }

    @Test("rolling back publishes the earlier content under a higher number")
    func rollBack() async throws {
        let publisher = publisher()
        try await addBeacon(1)
        try await publisher.publish(by: Author("eva"))
        try await addBeacon(2)
        try await publisher.publish(by: Author("eva"))
        let revision = try await publisher.rollBack(to: 1, by: Author("eva"))
        #expect(revision.number == 3)
        let list = try SiteList(json: #require(publisher.site?.built.list))
        #expect(list.revision == 3)
        #expect(list.entries.count == 1)
    }

    @Test("an unsigned revision after a signed one is refused: devices with the key would refuse it")
    func unsigned() async throws {
        try await publisher(key: SigningKey(id: nil)).publish(by: Author("eva"))
        let unsigned = publisher()
        try await unsigned.refresh()
        await #expect(throws: StoreError.self) { try await unsigned.publish(by: Author("eva")) }
    }

    @Test("a folder gets each revision once, failures are tried again with growing pauses, and old files go every hour")
    func follower() {
        var follower = FolderFollower()
        func asked(_ revision: Int64, at now: Duration) -> Bool { follower.wants(revision, at: now) }
        #expect(asked(1, at: .zero))
        follower.failed(1, at: .zero)
        #expect(!asked(1, at: .milliseconds(900)))
        #expect(asked(1, at: .seconds(1)))
        follower.failed(1, at: .seconds(1))
        #expect(!asked(1, at: .seconds(2)))
        #expect(asked(2, at: .seconds(2)), "a new revision is tried at once")
        follower.holds(2, at: .seconds(3))
        #expect(!asked(2, at: .seconds(4)))
        #expect(asked(2, at: .seconds(3603)))
    }

    @Test("a folder that holds a later revision takes the next one")
    func folderAhead() async throws {
        let (target, clock, media) = (SiteFolder(folder.path("public")), clock, folder)
        try await addBeacon(1)
        let publisher = Publisher(
            store: store, media: { media.path("\($0)") }, folder: target, logger: Logger(label: "test")
        ) { clock.now.withLock(\.self) }
        try FileManager.default.createDirectory(
            atPath: folder.path("public/v1"), withIntermediateDirectories: true)
        try #"{"format":1,"revision":57,"beacons":[]}"#.write(
            toFile: folder.path("public/v1/site.json"), atomically: true, encoding: .utf8)
        #expect(try await publisher.publish(by: Author("eva")).number == 58)
        #expect(try await publisher.publish(atLeast: 100, by: Author("eva")).number == 100)
    }
}
