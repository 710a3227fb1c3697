import Beacon
import Curation
import CurationStore
import Publishing
import SiteFormat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RevisionTests {
    @Test("what is published stays as it is while drafts change, and says what is pending")
    func pending() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        let squid = try await bench.add(bench.beacon("Squid", minor: 2)).id
        #expect(try await bench.store.pending().map(\.what) == [.added, .added])
        let revision = try await bench.publish(at: 10, note: "opening")
        #expect(revision.number == 1 && revision.note == "opening" && revision.documents == 2 && revision.changed == 2)
        #expect(try await bench.store.currentRevision() == revision)
        #expect(try await bench.store.pending() == [])
        let before = try await bench.store.published(1)
        try await bench.retitle(whale, "Blue whale", at: 11)
        try await bench.store.delete(squid, by: bench.ben, at: bench.at(12))
        let ray = try await bench.add(bench.beacon("Ray", minor: 3), at: 13).id
        #expect(try await bench.store.published(1) == before)
        let pending = try await bench.store.pending()
        #expect(pending.map(\.id) == [whale, ray, squid] && pending.map(\.what) == [.changed, .added, .removed])
        #expect(pending.map(\.before) == [1, nil, 1] && pending.map(\.after) == [2, 1, nil])
        #expect(try await bench.store.document(whale).state == .changed)
        #expect(try await bench.store.published(1)[whale]?.beacon?.name[.english] == "Whale")
        // Taken back by hand, it is as published, though its version is another one.
        try await bench.retitle(whale, "Whale", at: 14)
        #expect(try await bench.store.document(whale).state == .published)
        try await bench.publish(at: 15)
        #expect(try await Set(bench.store.published(2).keys) == [whale, ray])
        #expect(try await bench.store.published(1) == before)
        #expect(try await bench.store.revisions().map(\.number) == [2, 1])
        #expect(try await bench.store.check() == [])
    }

    @Test("a selection is published with what it needs, and everything else stays as it is")
    func selection() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.publish()
        let squid = try await bench.add(bench.beacon("Squid", minor: 2)).id
        let picture = try await bench.add(bench.media(1)).id
        let unused = try await bench.add(bench.media(2)).id
        let image = try await bench.add(bench.whole("Arm", of: squid, picture: picture)).id
        try await bench.retitle(whale, "Blue whale")
        try await bench.publish([image], at: 1)
        #expect(try await Set(bench.store.published(2).keys) == [whale, squid, picture, image])
        #expect(try await bench.store.published(2)[whale]?.beacon?.name[.english] == "Whale")
        #expect(try await bench.store.pending().map(\.id) == [whale, unused])
        // A beacon leaves with its images.
        try await bench.store.delete(squid, by: bench.ana, at: bench.at(2))
        try await bench.publish([squid], at: 3)
        #expect(try await Set(bench.store.published(3).keys) == [whale, picture])
        #expect(try await bench.store.check() == [])
    }

    @Test("rolling back publishes an earlier revision under a higher number, and drafts stay")
    func rollBack() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.publish()
        try await bench.retitle(whale, "Blue whale")
        let squid = try await bench.add(bench.beacon("Squid", minor: 2)).id
        try await bench.publish(at: 1)
        let back = try await bench.store.rollBack(to: 1, by: bench.ben, at: bench.at(2), build: bench.builder(at: 2))
        #expect(back.number == 3 && back.kind == .rollback && back.source == 1 && back.by == "ben")
        #expect(try await bench.store.published(3) == bench.store.published(1))
        let pending = try await bench.store.pending()
        #expect(pending.map(\.id) == [whale, squid] && pending.map(\.what) == [.changed, .added])
        #expect(try await bench.store.document(whale).document.beacon?.name[.english] == "Blue whale")
        #expect(
            await failure {
                try await bench.store.rollBack(to: 9, by: bench.ana, at: bench.at(3), build: bench.builder(at: 3))
            }?.code == .notFound)
        #expect(try await bench.store.check() == [])
    }

    @Test("every file of every revision is read back as it was published, whatever came later")
    func files() async throws {
        let bench = try Bench()
        var random = SeededGenerator(seed: 7)
        var ids: [DocumentID] = []
        for number in 1...6 { ids.append(try await bench.add(bench.beacon("B\(number)", minor: UInt16(number))).id) }
        var built: [BuiltRevision] = []
        for step in 1...12 {
            let id = ids[Int.random(in: 0..<ids.count, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                if try await bench.store.document(id).isDeleted {
                    _ = try await bench.store.restore(id, by: bench.ana, at: bench.at(Double(step)))
                } else {
                    try await bench.store.delete(id, by: bench.ana, at: bench.at(Double(step)))
                }
            default:
                if try await !bench.store.document(id).isDeleted { try await bench.retitle(id, "T\(step)") }
            }
            let documents = try await bench.store.drafts()
            try await bench.publish(at: Double(step))
            built.append(
                try SiteBuilder.build(documents: documents, revision: Int64(step), at: bench.at(Double(step))))
        }
        for (index, wanted) in built.enumerated() {
            #expect(try await bench.store.built(Int64(index + 1)) == wanted)
            for (path, file) in wanted.files {
                #expect(try await bench.store.file(path, of: Int64(index + 1)) == file)
            }
        }
        #expect(try await bench.store.file("none.json", of: 1) == nil)
        #expect(try await bench.store.check() == [])
    }

    @Test("content that begins to be valid is published by itself, and nothing is published where nothing changes")
    func schedule() async throws {
        let bench = try Bench()
        #expect(try await bench.store.republish(at: bench.start, build: bench.builder(at: 0)) == nil)
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        let picture = try await bench.add(bench.media(1)).id
        guard case .image(var body) = bench.whole("Later", of: whale, picture: picture) else {
            Issue.record("no image")
            return
        }
        body.validFrom = bench.at(100)
        try await bench.add(.image(body))
        try await bench.publish()
        // The same time in what is built, so that nothing else differs.
        #expect(try await bench.store.republish(at: bench.at(50), build: bench.builder(at: 0)) == nil)
        let revision = try await bench.store.republish(at: bench.at(100), build: bench.builder(at: 100))
        #expect(revision?.kind == .schedule && revision?.by == "schedule" && revision?.changed == 0)
        #expect(try await bench.store.built(2).assets.count == 1)
        #expect(try await bench.store.built(1).assets.isEmpty)
        #expect(try await bench.store.changes().first?.kind == .scheduled)
    }

    @Test("a builder that fails publishes nothing, and its words arrive")
    func failing() async throws {
        let bench = try Bench()
        try await bench.add(bench.beacon("Whale", minor: 1))
        struct Refused: Error {}
        let error = await failure {
            try await bench.store.publish(nil, by: bench.ana, at: bench.start) { _, _ in throw Refused() }
        }
        #expect(error?.problem.contains("Refused") == true)
        #expect(try await bench.store.currentRevision() == nil)
        #expect(try await bench.store.pending().count == 1)
    }

    @Test("several who publish at once get numbers of their own, and none is lost")
    func together() async throws {
        let bench = try Bench()
        let other = try CurationStore(folder: bench.folder.path, passwordCost: .test)
        try await bench.add(bench.beacon("Whale", minor: 1))
        let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
            for store in [bench.store, other, bench.store, other] {
                group.addTask {
                    try await store.publish(by: bench.ana, at: bench.start, build: bench.builder(at: 0)).number
                }
            }
            var numbers: [Int64] = []
            for try await number in group { numbers.append(number) }
            return numbers.sorted()
        }
        #expect(numbers == [1, 2, 3, 4])
        #expect(try await bench.store.dataVersion() == other.dataVersion())
        #expect(try await bench.store.check() == [])
    }

    @Test("what was deleted for good stays in its revisions, and can be imported again")
    func purged() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1))
        try await bench.retitle(whale.id, "Blue whale")
        try await bench.publish()
        try await bench.store.delete(whale.id, by: bench.ana, at: bench.at(1))
        try await bench.store.emptyBin(by: bench.ana, at: bench.at(2))
        #expect(try await bench.store.published(1)[whale.id]?.beacon?.name[.english] == "Blue whale")
        try await bench.store.save(all: [whale.id: whale.document], by: bench.ana, at: bench.at(3))
        let again = try await bench.store.document(whale.id)
        #expect(again.state == .changed && again.document == whale.document && again.publishedVersion == 2)
        try await bench.publish(at: 4)
        #expect(try await bench.store.published(1)[whale.id]?.beacon?.name[.english] == "Blue whale")
        #expect(try await bench.store.published(2)[whale.id] == whale.document)
        #expect(try await bench.store.check() == [])
    }

    @Test("what was deleted for good is pending as a removal until it is published, with its name")
    func goneForGood() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        let draft = try await bench.add(bench.beacon("Draft", minor: 2)).id
        try await bench.publish([whale])
        for id in [whale, draft] { try await bench.store.delete(id, by: bench.ana, at: bench.at(1)) }
        try await bench.store.emptyBin(by: bench.ana, at: bench.at(2))
        let pending = try await bench.store.pending()
        #expect(pending.map(\.id) == [whale] && pending.map(\.what) == [.removed])
        #expect(pending.map(\.name) == ["Whale"] && pending.map(\.before) == [1] && pending.map(\.after) == [nil])
        try await bench.publish([whale], at: 3)
        #expect(try await bench.store.pending() == [])
        #expect(try await bench.store.published(2).isEmpty)
    }

    @Test("files are needed as long as undo, a revision or the bin can bring them back")
    func needed() async throws {
        let bench = try Bench()
        func hash(_ document: Document) -> AssetHash? { document.media?.hash }
        let (old, new) = (bench.media(1), bench.media(2))
        let file = try await bench.add(old)
        _ = try await bench.store.save(new, as: file.id, over: file.version, by: bench.ana, at: bench.at(1))
        #expect(try await bench.store.neededAssets() == Set([old, new].compactMap(hash)))
        let change = try #require(try await bench.store.changes(ChangeQuery(document: file.id, limit: 1)).first)
        _ = try await bench.store.undo(change.number, by: bench.ana, at: bench.at(2))
        #expect(try await bench.store.document(file.id).document == old)
        try await bench.store.delete(file.id, by: bench.ana, at: bench.at(3))
        #expect(try await bench.store.neededAssets().contains(try #require(hash(old))))
        try await bench.store.emptyBin(by: bench.ana, at: bench.at(4))
        #expect(try await bench.store.neededAssets().isEmpty)
    }
}
