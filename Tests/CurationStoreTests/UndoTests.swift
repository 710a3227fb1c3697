import Beacon
import Curation
import CurationStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UndoTests {
    @Test("every kind of change is taken back, and taking it back is taken back too")
    func kinds() async throws {
        let bench = try Bench()
        let store = bench.store
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        let first = try await bench.add(bench.image("a", of: whale)).id
        let second = try await bench.add(bench.image("b", of: whale)).id

        func undoLast() async throws {
            let number = try #require(try await store.changes().first?.number)
            let undo = try await store.undo(number, by: bench.ben, at: bench.at(1))
            #expect(undo.kind == .undone && undo.undoes == number && undo.by == "ben")
        }
        func names() async throws -> [String] {
            let beacon = try await store.document(whale)
            return [beacon.isDeleted ? "gone" : beacon.document.beacon?.name[.english] ?? ""]
                + (try await bench.titles(of: whale))
        }

        try await bench.retitle(whale, "Blue whale")
        try await undoLast()
        #expect(try await names() == ["Whale", "a", "b"])
        try await undoLast()
        #expect(try await names() == ["Blue whale", "a", "b"])
        try await store.reorder([second, first], of: whale, by: bench.ana, at: bench.start)
        try await undoLast()
        #expect(try await names() == ["Blue whale", "a", "b"])
        try await store.delete(whale, by: bench.ana, at: bench.start)
        #expect(try await names() == ["gone"])
        try await undoLast()
        #expect(try await names() == ["Blue whale", "a", "b"])
        try await undoLast()
        #expect(try await names() == ["gone"])
        try await undoLast()
        #expect(try await names() == ["Blue whale", "a", "b"])
        try await bench.add(bench.image("c", of: whale))
        try await undoLast()
        #expect(try await names() == ["Blue whale", "a", "b"])
        #expect(try await store.check() == [])
    }

    @Test("a change that was followed by another one cannot be taken back, and what is there now is told")
    func later() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale")).id
        try await bench.retitle(whale, "Blue whale")
        let now = try await bench.retitle(whale, "Bluest whale")
        let changes = try await bench.store.changes()
        #expect(changes.map(\.canBeUndone) == [true, false, false])
        let error = await failure { try await bench.store.undo(changes[1].number, by: bench.ben, at: bench.start) }
        #expect(error?.code == .conflict && error?.current == now)
        #expect(try await bench.store.changes().count == 3)
    }

    @Test("publications and what was deleted for good are not taken back")
    func never() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.publish()
        try await bench.store.delete(whale, by: bench.ana, at: bench.start)
        try await bench.store.emptyBin(by: bench.ana, at: bench.start)
        for change in try await bench.store.changes() {
            #expect(!change.canBeUndone)
            #expect(await failure { try await bench.store.undo(change.number, by: bench.ana, at: bench.start) } != nil)
        }
        #expect(await failure { try await bench.store.undo(99, by: bench.ana, at: bench.start) }?.code == .notFound)
    }

    @Test("the history is listed by document, by person, by kind and page by page")
    func queries() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale")).id
        let image = try await bench.add(bench.image("a", of: whale)).id
        _ = try await bench.store.save(bench.beacon("Squid"), as: nil, over: nil, by: bench.ben, at: bench.at(5))
        try await bench.store.delete(whale, by: bench.ana, at: bench.at(6))
        let all = try await bench.store.changes()
        #expect(all.map(\.kind) == [.deleted, .created, .created, .created])
        // The image went with its beacon, so that belongs to its history too.
        #expect(try await bench.store.changes(ChangeQuery(document: image)).map(\.kind) == [.deleted, .created])
        #expect(try await bench.store.changes(ChangeQuery(by: "ben")).map(\.name) == ["Squid"])
        #expect(try await bench.store.changes(ChangeQuery(kinds: [.deleted])).count == 1)
        let rest = try await bench.store.changes(ChangeQuery(before: all[1].number, limit: 1))
        #expect(rest == [all[2]])
        #expect(all[3].before == nil && all[3].after == 1 && all[0].before == 1 && all[0].after == nil)
    }

    @Test("where a document is used is known, and follows every change")
    func uses() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale")).id
        let picture = try await bench.add(bench.media(1)).id
        let image = try await bench.add(bench.whole("Arm", of: whale, picture: picture))
        #expect(try await bench.store.uses(of: picture).map(\.document) == [image.id])
        #expect(try await bench.store.uses(of: whale).map(\.field) == ["beacon"])
        #expect(try await bench.store.uses(of: image.id) == [])
        try await bench.store.delete(image.id, by: bench.ana, at: bench.start)
        #expect(try await bench.store.uses(of: picture).map(\.isDeleted) == [true])
        _ = try await bench.store.restore(image.id, by: bench.ana, at: bench.start)
        var body = try #require(image.document.image)
        body.picture = nil
        _ = try await bench.store.save(.image(body), as: image.id, over: 1, by: bench.ana, at: bench.start)
        #expect(try await bench.store.uses(of: picture) == [])
        let needed = try await bench.store.neededAssets()
        #expect(needed.count == 1)
    }

    @Test("what is too old goes: the bin, the history and its bodies, but never what is current")
    func tidying() async throws {
        let bench = try Bench()
        let store = bench.store
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.retitle(whale, "Blue whale")
        let squid = try await bench.add(bench.beacon("Squid", minor: 2)).id
        try await bench.publish()
        try await store.delete(squid, by: bench.ana, at: bench.start)
        let day = 86_400.0
        try await store.tidy(at: bench.at(Double(StoreLimits().binDays) * day - 1))
        #expect(try await store.bin().total == 1)
        try await store.tidy(at: bench.at(Double(StoreLimits().binDays) * day + 1))
        #expect(try await store.bin().total == 0)
        #expect(try await store.version(of: whale, 1).beacon?.name[.english] == "Whale")
        try await store.tidy(at: bench.at(Double(StoreLimits().changeDays) * day + 1))
        #expect(await failure { try await store.version(of: whale, 1) }?.code == .notFound)
        #expect(try await store.document(whale).version == 2)
        #expect(try await store.published(1).count == 2)
        #expect(try await store.check() == [])
    }

    @Test("while the clock is doubted nothing is too old")
    func doubtedClock() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.store.delete(whale, by: bench.ana, at: bench.start)
        try await bench.store.tidy(at: nil)
        #expect(try await bench.store.bin().total == 1)
    }

    @Test("the last removal of what is too old is remembered to the hour, also where the clock has gone back")
    func lastTidying() async throws {
        let bench = try Bench()
        try await bench.store.tidy(at: nil)
        #expect(try await bench.store.lastTidying() == nil)
        // The bench starts at a full hour.
        for (time, hour) in [(7300.0, 7200.0), (3600, 3600), (-1, -3600)] {
            try await bench.store.tidy(at: bench.at(time))
            try await bench.store.tidy(at: nil)
            #expect(try await bench.store.lastTidying() == bench.at(hour))
        }
        bench.store.close()
        let again = try CurationStore(folder: bench.folder.path, passwordCost: .test)
        #expect(try await again.lastTidying() == bench.at(-3600))
    }

    @Test("the newest record up to a time is a change or a device's report")
    func newestRecord() async throws {
        let bench = try Bench()
        #expect(try await bench.store.newestRecord(upTo: bench.at(100)) == nil)
        try await bench.add(bench.beacon("Whale"), at: 5)
        #expect(try await bench.store.newestRecord(upTo: bench.at(4)) == nil)
        #expect(try await bench.store.newestRecord(upTo: bench.at(100)) == bench.at(5))
        let report = DeviceReport(host: "pi-1", periodStart: bench.at(0), periodEnd: bench.at(20))
        try await bench.store.noteReport(report, at: bench.at(30))
        #expect(try await bench.store.newestRecord(upTo: bench.at(29)) == bench.at(5))
        #expect(try await bench.store.newestRecord(upTo: bench.at(100)) == bench.at(30))
    }

    @Test("the first settings of the site are taken back to those of a new site, and can be saved again")
    func firstSettings() async throws {
        let bench = try Bench()
        var body = SiteDocument()
        body.title = "Museum"
        _ = try await bench.store.save(.site(body), as: .site, over: 0, by: bench.ana, at: bench.start)
        let change = try #require(try await bench.store.changes(ChangeQuery()).first)
        let undone = try await bench.store.undo(change.number, by: bench.ben, at: bench.at(1))
        let site = try await bench.store.site()
        #expect(site.document == .site(SiteDocument()) && !site.isDeleted)
        _ = try await bench.store.undo(undone.number, by: bench.ben, at: bench.at(2))
        #expect(try await bench.store.site().document == .site(body))
        body.title = "Hall"
        _ = try await bench.store.save(
            .site(body), as: .site, over: bench.store.site().version, by: bench.ana, at: bench.at(3))
        #expect(try await bench.store.bin(limit: 10, offset: 0).total == 0)
    }
}
