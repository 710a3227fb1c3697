import Beacon
import Curation
import Foundation
import Publishing
import SiteFormat
import TestSupport
import Testing
import Text

@Suite struct SiteFolderTests {
    private let folder: TemporaryFolder
    private let library: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        library = try TemporaryFolder()
    }

    @discardableResult
    private func publish(
        _ hall: Hall, _ built: BuiltRevision, at moment: Moment = Hall.start, keepS: Double = 86_400
    ) throws -> SiteFolder.Outcome {
        for (hash, bytes) in hall.media where !FileManager.default.fileExists(atPath: library.path("\(hash)")) {
            try Data(bytes).write(to: URL(fileURLWithPath: library.path("\(hash)")))
        }
        var site = SiteFolder(folder.path)
        site.keepS = keepS
        return try site.publish(built, at: moment) { library.path("\($0)") }
    }

    /// Every file of the site with its inode and time.
    private func files() throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("v1"))
        return Dictionary(
            uniqueKeysWithValues: try names.compactMap { name in
                let facts = try FileManager.default.attributesOfItem(atPath: folder.path("v1/\(name)"))
                guard facts[.type] as? FileAttributeType == .typeRegular else { return nil }
                let date = facts[.modificationDate] as? Date
                return (name, "\(facts[.systemFileNumber] ?? 0) \(date?.timeIntervalSince1970 ?? 0)")
            })
    }

    /// What is wrong with the site for somebody who begins with its list.
    private func faults() throws -> [String] {
        let list = try Data(contentsOf: URL(fileURLWithPath: folder.path("v1/site.json")))
        return try siteFaults(list: Array(list)) { name in
            (try? Data(contentsOf: URL(fileURLWithPath: folder.path("v1/\(name)")))).map(Array.init)
        }
    }

    @Test("the folder has exactly what the list names, at the paths of the format")
    func complete() throws {
        var hall = Hall(seed: 1, beacons: 3, images: 2)
        hall.addImage(of: nil, rank: 0)
        let built = try hall.build(key: SigningKey(id: "key"))
        let outcome = try publish(hall, built)
        #expect(try faults().isEmpty)
        var expected = Set(built.files.keys).union(built.assets.keys.map { "assets/\($0)" })
        expected.formUnion(["site.json", "signatures/\(AssetHash(of: built.list))"])
        #expect(try Set(files().keys) == expected)
        #expect(outcome == .init(written: expected.count, kept: 0, removed: 0))
    }

    @Test("a second publication writes only what has changed: the rest keeps inode and time")
    func incremental() throws {
        var hall = Hall(seed: 2, beacons: 5, images: 3)
        let first = try hall.build(revision: 1)
        try publish(hall, first)
        let before = try files()
        let image = try #require(hall.documents.first { $0.value.image != nil }?.key)
        hall.edit(image) { $0.title = LocalizedText("Changed", in: .english) }
        let second = try hall.build(revision: 2, at: Hall.start.advanced(seconds: 5), over: first)
        let outcome = try publish(hall, second)
        let after = try files()
        let changed = Set(after.filter { before[$0.key] != $0.value }.keys)
        let expected = Set(second.files.filter { first.files[$0.key] != $0.value }.keys).union(["site.json"])
        #expect(changed == expected)
        #expect(outcome.written == 3)
        #expect(try faults().isEmpty)
    }

    @Test("what no list names any more stays for a day, then it is removed")
    func sweep() throws {
        var hall = Hall(seed: 3, beacons: 2, images: 1)
        let first = try hall.build(revision: 1)
        try publish(hall, first)
        let beacon = try #require(hall.documents.first { $0.value.beacon?.minor == 1 }?.key)
        hall.documents = hall.documents.filter { $0.key != beacon && $0.value.image?.beacon != beacon }
        let second = try hall.build(revision: 2, over: first)
        let old = first.files.keys.filter { second.files[$0] == nil && $0.hasPrefix("manifests/") }
        let gone = first.assets.keys.filter { second.assets[$0] == nil }
        #expect(!old.isEmpty && !gone.isEmpty)
        try publish(hall, second)
        #expect(try Set(old).isSubset(of: files().keys))
        #expect(try files()["beacons/636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/1.json"] == nil)
        try publish(hall, second, at: Hall.start.advanced(seconds: 86_399))
        #expect(try Set(gone.map { "assets/\($0)" }).isSubset(of: files().keys))
        let outcome = try publish(hall, second, at: Hall.start.advanced(seconds: 86_400))
        #expect(outcome.removed == old.count + gone.count)
        #expect(try Set(files().keys).isDisjoint(with: old + gone.map { "assets/\($0)" }))
    }

    @Test("a clock that was ahead does not keep what no list names")
    func aheadOnce() throws {
        let hall = Hall(seed: 3, beacons: 2, images: 1)
        let first = try hall.build(revision: 1)
        let empty = try Hall(seed: 3).build(revision: 2)
        let gone = first.assets.keys.map { "assets/\($0)" }
        #expect(!gone.isEmpty)
        try publish(hall, first)
        try publish(hall, empty, at: Hall.start.advanced(seconds: 10 * 365 * 86_400))
        try publish(hall, empty)
        try publish(hall, empty, at: Hall.start.advanced(seconds: 86_399))
        #expect(try Set(gone).isSubset(of: files().keys))
        try publish(hall, empty, at: Hall.start.advanced(seconds: 86_400))
        #expect(try Set(files().keys).isDisjoint(with: gone))
    }

    @Test("what is named again in time stays")
    func again() throws {
        let hall = Hall(seed: 4, beacons: 1, images: 1)
        let first = try hall.build(revision: 1)
        let empty = try Hall(seed: 4).build(revision: 2)
        try publish(hall, first)
        try publish(hall, empty)
        try publish(
            hall, try hall.build(revision: 3, at: Hall.start.advanced(seconds: 50)),
            at: Hall.start.advanced(seconds: 50))
        try publish(hall, try hall.build(revision: 4, at: Hall.start), at: Hall.start.advanced(seconds: 90_000))
        #expect(try faults().isEmpty)
    }

    @Test("files of others in the folder stay")
    func foreign() throws {
        let hall = Hall(seed: 5, beacons: 1, images: 1)
        try publish(hall, try hall.build())
        for name in ["index.html", "v1/assets/readme.txt", "v1/beacons/notes.json"] {
            try "mine".write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        try publish(hall, try Hall(seed: 5).build(revision: 2), at: Hall.start.advanced(seconds: 1e6), keepS: 0)
        #expect(try folder.text("v1/assets/readme.txt") == "mine")
        #expect(try folder.text("v1/beacons/notes.json") == "mine")
        #expect(try folder.text("index.html") == "mine")
    }

    @Test("damaged media is not published, and what was published before stays whole")
    func damaged() throws {
        var hall = Hall(seed: 6, beacons: 1, images: 1)
        try publish(hall, try hall.build(revision: 1))
        let before = try files()
        let image = try #require(hall.documents.first { $0.value.image != nil }?.key)
        let media = hall.addMedia()
        let hash = try #require(hall.documents[media]?.media?.hash)
        hall.edit(image) { $0.picture = PictureUse(media) }
        let file = library.path("\(hash)")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: file))
        // A private file is copied, not linked.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let error = try #require(throws: PublishingError.self) {
            try publish(hall, try hall.build(revision: 2))
        }
        #expect(error.code == .storage)
        #expect(try files() == before)
    }

    @Test("a lower revision than the published one is refused: devices would refuse it")
    func goingBack() throws {
        let hall = Hall(seed: 7, beacons: 1, images: 1)
        try publish(hall, try hall.build(revision: 5))
        let error = try #require(throws: PublishingError.self) { try publish(hall, try hall.build(revision: 4)) }
        #expect(error.code == .content)
        try publish(hall, try hall.build(revision: 5))
        // No number is higher than this one.
        try #"{"format":1,"revision":9223372036854775807,"beacons":[]}"#.write(
            toFile: folder.path("v1/site.json"), atomically: true, encoding: .utf8)
        let last = try #require(throws: PublishingError.self) { try publish(hall, try hall.build(revision: 6)) }
        #expect(last.remedy == "name another folder")
    }

    @Test("a folder is made and can be published into, and a place where none can be is refused with the reason")
    func preparation() throws {
        let new = SiteFolder(folder.path("sites/public"))
        try new.prepare()
        #expect(new.list == nil)
        try new.publish(try Hall(seed: 9).build(), at: Hall.start) { library.path("\($0)") }
        try new.prepare()
        #expect(new.list != nil)
        try "a file".write(toFile: folder.path("file"), atomically: true, encoding: .utf8)
        let file = try #require(throws: PublishingError.self) { try SiteFolder(folder.path("file")).prepare() }
        #expect(file.explanation == "\(folder.path("file")): it is no folder; name a folder")
        let below = try #require(throws: PublishingError.self) { try SiteFolder(folder.path("file/x")).prepare() }
        #expect(below.code == .storage && below.place == folder.path("file/x"), "\(below)")
        let none = try #require(throws: PublishingError.self) { try SiteFolder("").prepare() }
        #expect(none.explanation == "the name of the folder is empty; name a folder")
    }

    @Test("while one publisher has the folder, another is refused")
    func lock() throws {
        let hall = Hall(seed: 8, beacons: 1, images: 1)
        try publish(hall, try hall.build(revision: 1))
        let descriptor = open(folder.path(".publish"), O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let error = try #require(throws: PublishingError.self) { try publish(hall, try hall.build(revision: 2)) }
        #expect(error.code == .busy)
    }
}
