import Beacon
import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing
import Text

@Suite(.timeLimit(.minutes(10))) struct DocumentTests {
    @Test("what is saved is read back, and is there when the database is opened again")
    func saving() async throws {
        let bench = try Bench()
        let saved = try await bench.add(bench.beacon("Whale", minor: 3))
        #expect(saved.version == 1 && saved.changedBy == "ana" && saved.changedAt == bench.start)
        #expect(saved.state == .unpublished && !saved.isDeleted)
        let edited = try await bench.store.save(
            saved.document.titled("Blue whale"), as: saved.id, over: 1, by: bench.ben, at: bench.at(5))
        #expect(edited.version == 2 && edited.changedBy == "ben")
        bench.store.close()
        let again = try CurationStore(folder: bench.folder.path)
        #expect(try await again.document(saved.id) == edited)
        #expect(try await again.version(of: saved.id, 1) == saved.document)
        #expect(try await again.beacon(#require(saved.document.beacon?.id))?.id == saved.id)
    }

    @Test("saving over a version that is no longer current gives the current one, and changes nothing")
    func conflict() async throws {
        let bench = try Bench()
        let saved = try await bench.add(bench.beacon("Whale"))
        let theirs = try await bench.store.save(
            saved.document.titled("Theirs"), as: saved.id, over: 1, by: bench.ben, at: bench.at(1))
        let error = await failure {
            try await bench.store.save(
                saved.document.titled("Mine"), as: saved.id, over: 1, by: bench.ana, at: bench.at(2))
        }
        #expect(error?.code == .conflict && error?.current == theirs)
        #expect(try await bench.store.document(saved.id) == theirs)
        // Also for somebody who believes that it is new, and after a deletion.
        #expect(
            await failure {
                try await bench.store.save(saved.document, as: saved.id, over: nil, by: bench.ana, at: bench.start)
            }?.code == .conflict)
        try await bench.store.delete(saved.id, over: 2, by: bench.ben, at: bench.at(3))
        let gone = await failure {
            try await bench.store.save(
                saved.document.titled("Mine"), as: saved.id, over: 2, by: bench.ana, at: bench.at(4))
        }
        #expect(gone?.code == .conflict && gone?.current?.isDeleted == true)
    }

    @Test("saving what is stored already makes no version and no entry in the history")
    func same() async throws {
        let bench = try Bench()
        let saved = try await bench.add(bench.beacon("Whale"))
        let again = try await bench.store.save(saved.document, as: saved.id, over: 1, by: bench.ben, at: bench.at(9))
        #expect(again == saved)
        #expect(try await bench.store.changes().count == 1)
    }

    @Test("images are in the order of their ranks, a new one is last, and a new order is one change")
    func order() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale")).id
        var ids: [DocumentID] = []
        for title in ["a", "b", "c", "d"] { ids.append(try await bench.add(bench.image(title, of: whale)).id) }
        #expect(try await bench.titles(of: whale) == ["a", "b", "c", "d"])
        let before = try await bench.store.document(ids[1])
        try await bench.store.reorder([ids[3], ids[1]], of: whale, by: bench.ben, at: bench.at(1))
        #expect(try await bench.titles(of: whale) == ["d", "b", "a", "c"])
        let change = try #require(try await bench.store.changes().first)
        #expect(change.kind == .reordered && change.document == whale && change.name == "Whale")
        // An editor of an image that was only moved has no conflict, and the image stays where it is.
        try await bench.store.reorder([ids[1]], of: whale, by: bench.ben, at: bench.at(2))
        _ = try await bench.store.save(
            before.document.titled("B"), as: ids[1], over: before.version, by: bench.ana, at: bench.at(3))
        #expect(try await bench.titles(of: whale) == ["B", "d", "a", "c"])
    }

    @Test("the 26th image of a beacon is refused beside its field, also when it is moved there or restored")
    func maximum() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale")).id
        var last: StoredDocument?
        for number in 1...25 { last = try await bench.add(bench.image("\(number)", of: whale)) }
        let error = await failure { try await bench.add(bench.image("26", of: whale)) }
        #expect(error?.code == .limit && error?.field == "beacon")
        let loose = try await bench.add(bench.image("loose"))
        var moved = try #require(loose.document.image)
        moved.beacon = whale
        #expect(
            await failure {
                try await bench.store.save(.image(moved), as: loose.id, over: 1, by: bench.ana, at: bench.start)
            }?.code == .limit)
        let deleted = try #require(last)
        try await bench.store.delete(deleted.id, by: bench.ana, at: bench.start)
        _ = try await bench.store.save(.image(moved), as: loose.id, over: 1, by: bench.ana, at: bench.start)
        #expect(
            await failure { try await bench.store.restore(deleted.id, by: bench.ana, at: bench.start) }?.code == .limit)
    }

    @Test("two beacons cannot have one identity, unless one of them lies in the bin")
    func identity() async throws {
        let bench = try Bench()
        let first = try await bench.add(bench.beacon("Whale", minor: 1))
        let error = await failure { try await bench.add(bench.beacon("Squid", minor: 1)) }
        #expect(error?.code == .taken && error?.other == first.id && error?.field == "uuid")
        try await bench.store.delete(first.id, by: bench.ana, at: bench.start)
        try await bench.add(bench.beacon("Squid", minor: 1))
        #expect(
            await failure { try await bench.store.restore(first.id, by: bench.ana, at: bench.start) }?.code == .taken)
    }

    @Test("two contents on one side are refused, and so is an image of a beacon that does not exist")
    func sides() async throws {
        let bench = try Bench()
        var body = ImageDocument()
        body.contents = [
            ContentItem(id: .random(), side: .left, kind: .image), ContentItem(id: .random(), side: .left, kind: .map),
        ]
        let two = await failure { try await bench.add(.image(body)) }
        #expect(two?.code == .invalid && two?.field == "contents.left")
        let orphan = await failure { try await bench.add(bench.image("a", of: .random())) }
        #expect(orphan?.code == .invalid && orphan?.field == "beacon")
    }

    @Test("a beacon takes its images into the bin and out again, but not those that were there before")
    func bin() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        let first = try await bench.add(bench.image("first", of: whale)).id
        try await bench.add(bench.image("second", of: whale))
        try await bench.store.delete(first, by: bench.ana, at: bench.at(1))
        try await bench.store.delete(whale, by: bench.ana, at: bench.at(2))
        #expect(try await bench.store.documents(.image).total == 0)
        #expect(try await bench.store.bin().documents.map(\.id) == [whale, first])
        _ = try await bench.store.restore(whale, by: bench.ben, at: bench.at(3))
        #expect(try await bench.titles(of: whale) == ["second"])
        #expect(try await bench.store.bin().documents.map(\.id) == [first])
        try await bench.store.delete(whale, by: bench.ana, at: bench.at(4))
        // The image that was there before is older than this time, the others are not.
        #expect(try await bench.store.emptyBin(deletedBefore: bench.at(2), by: bench.ana, at: bench.at(5)) == 1)
        #expect(try await bench.store.emptyBin([whale], by: bench.ana, at: bench.at(5)) == 2)
        #expect(await failure { try await bench.store.document(whale) }?.code == .notFound)
        #expect(try await bench.store.changes().first?.kind == .emptied)
    }

    @Test(
        "a search finds words anywhere, in any language, whatever their case and diacritics",
        arguments: [
            ("WHALE", 1), ("wha hall", 1), ("zizka", 1), ("Dakovo", 1), ("strasse", 1), ("احمد", 1), ("١٢٣", 1),
            ("123", 1), ("القاعه", 1), ("squid", 0), ("50%", 0), ("' OR 1=1 --", 0), ("_", 0), ("", 2),
        ])
    func search(_ query: String, _ count: Int) async throws {
        let bench = try Bench()
        var body = BeaconDocument()
        body.name = LocalizedText("Blue Whale", in: .english)
        body.name[try #require(Language("cs"))] = "Žižka"
        body.name[try #require(Language("bs"))] = "Đakovo"
        body.name[try #require(Language("ar"))] = "أَحْمَد القاعة ١٢٣"
        body.note = "Straße, in the Hall"
        try await bench.add(.beacon(body))
        try await bench.add(bench.beacon("Other"))
        let page = try await bench.store.documents(.beacon, DocumentQuery(text: query))
        #expect(page.total == count && page.documents.count == count)
    }

    @Test("pages of a list have the total, and go on where the one before ended")
    func pages() async throws {
        let bench = try Bench()
        for number in 10..<30 { try await bench.add(bench.beacon("B\(number)"), at: Double(number)) }
        let page = try await bench.store.documents(.beacon, DocumentQuery(limit: 7, offset: 14))
        #expect(
            page.total == 20 && page.documents.map { $0.document.beacon?.name[.english] } == (24..<30).map { "B\($0)" })
        let newest = try await bench.store.documents(.beacon, DocumentQuery(limit: 1, order: .changed))
        #expect(newest.documents.first?.document.beacon?.name[.english] == "B29")
    }

    @Test("a page ends before its documents have too many bytes, with one of them at least", arguments: [1, 2500, 9999])
    func pageBytes(most: Int) async throws {
        let bench = try Bench()
        for number in 10..<15 {
            var body = BeaconDocument()
            body.name = LocalizedText("B\(number)", in: .english)
            body.note = String(repeating: "a", count: 1000)
            try await bench.add(.beacon(body))
        }
        var sizes: [Int] = []
        var names: [String?] = []
        while names.count < 5 {
            let page = try await bench.store.documents(.beacon, DocumentQuery(offset: names.count, bytes: most))
            #expect(page.total == 5)
            try #require(!page.documents.isEmpty)
            sizes.append(page.documents.count)
            names += page.documents.map { $0.document.beacon?.name[.english] }
        }
        #expect(names == (10..<15).map { "B\($0)" }, "each is there once")
        #expect(sizes == (most == 1 ? [1, 1, 1, 1, 1] : most == 2500 ? [2, 2, 1] : [5]))
    }

    @Test("a document that is too long, and one too many, are refused")
    func limits() async throws {
        var limits = StoreLimits()
        limits.documentBytes = 2000
        limits.documents = 2
        let bench = try Bench(limits)
        #expect(
            await failure { try await bench.add(bench.beacon(String(repeating: "x", count: 2000))) }?.code == .limit)
        try await bench.add(bench.beacon("a"))
        try await bench.add(bench.beacon("b"))
        #expect(await failure { try await bench.add(bench.beacon("c")) }?.code == .limit)
        #expect(try await bench.store.documents(.beacon).total == 2)
    }

    @Test("the site's settings are there before they are saved, and are saved like any document")
    func site() async throws {
        let bench = try Bench()
        let site = try await bench.store.site()
        #expect(site.version == 0 && site.document == .site(SiteDocument()))
        var body = SiteDocument()
        body.languages = [try #require(Language("de")), .english]
        var name = LocalizedText("Whale", in: .english)
        name[try #require(Language("de"))] = "Wal"
        var beacon = BeaconDocument()
        beacon.name = name
        try await bench.add(.beacon(beacon))
        let saved = try await bench.store.save(.site(body), as: .site, over: 0, by: bench.ana, at: bench.at(1))
        #expect(saved.id == .site && saved.version == 1)
        #expect(try await bench.store.site() == saved)
        #expect(
            await failure {
                try await bench.store.save(.site(SiteDocument()), as: .site, over: 0, by: bench.ben, at: bench.at(1))
            }?.code == .conflict)
        #expect(await failure { try await bench.store.delete(.site, by: bench.ana, at: bench.at(2)) }?.code == .invalid)
    }

    @Test("a picture is in the library once, whoever uploads it again")
    func twice() async throws {
        let bench = try Bench()
        let hash = String(repeating: "ab", count: 32)
        let media = Document.media(MediaDocument(hash: try #require(AssetHash(hash)), bytes: 5, mediaType: "image/png"))
        let first = try await bench.add(media)
        let error = await failure { try await bench.add(media) }
        #expect(error?.code == .taken && error?.other == first.id)
        #expect(try await bench.store.media(named: hash)?.id == first.id)
    }

    @Test("two processes that write one database wait for each other, and see what the other has written")
    func processes() async throws {
        let bench = try Bench()
        let other = try CurationStore(folder: bench.folder.path)
        let saved = try await bench.add(bench.beacon("Whale"))
        let theirs = try await other.save(
            saved.document.titled("Squid"), as: saved.id, over: 1, by: bench.ben, at: bench.at(1))
        #expect(try await bench.store.document(saved.id) == theirs)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [bench.store, other] {
                for number in 0..<10 {
                    group.addTask {
                        _ = try await store.save(
                            bench.beacon("N\(number)"), as: nil, over: nil, by: bench.ana, at: bench.at(2))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await other.documents(.beacon).total == 21)
    }

    @Test("an import saves an image whose name comes before its beacon's, also when both lie in the bin")
    func importedTogether() async throws {
        let bench = try Bench()
        let (image, beacon) = (try #require(DocumentID("a")), try #require(DocumentID("b")))
        let documents = [image: bench.image("Whale", of: beacon), beacon: bench.beacon("Hall")]
        try await bench.store.save(all: documents, by: bench.ana, at: bench.start)
        #expect(try await bench.titles(of: beacon) == ["Whale"])
        try await bench.store.delete(beacon, by: bench.ana, at: bench.at(1))
        try await bench.store.save(all: documents, by: bench.ana, at: bench.at(2))
        #expect(try await bench.titles(of: beacon) == ["Whale"])
        // Deleted before its beacon, it does not come back with it.
        try await bench.store.delete(image, by: bench.ana, at: bench.at(3))
        try await bench.store.delete(beacon, by: bench.ana, at: bench.at(4))
        try await bench.store.save(all: documents, by: bench.ana, at: bench.at(5))
        #expect(try await bench.titles(of: beacon) == ["Whale"])
    }

    @Test("an import over documents that somebody has changed since they were read changes nothing")
    func importedOver() async throws {
        let bench = try Bench()
        let (whale, squid) = (try await bench.add(bench.beacon("Whale")), try await bench.add(bench.beacon("Squid")))
        let bases = [whale.id: whale.document, squid.id: squid.document]
        let wanted = bases.mapValues { $0.titled("Imported") }
        try await bench.retitle(squid.id, "Giant squid", at: 1)
        func save() async throws {
            try await bench.store.save(all: wanted, over: bases, by: bench.ana, at: bench.at(2))
        }
        #expect(await failure { try await save() }?.code == .conflict)
        #expect(try await bench.store.document(whale.id).document == whale.document)
        try await bench.retitle(squid.id, "Squid", at: 3)
        try await save()
        #expect(try await bench.store.document(squid.id).document == wanted[squid.id])
        // One that was deleted meanwhile is not brought back.
        try await bench.store.delete(whale.id, by: bench.ben, at: bench.at(4))
        let again = await failure {
            try await bench.store.save(
                all: [whale.id: whale.document], over: [whale.id: wanted[whale.id] ?? whale.document], by: bench.ana,
                at: bench.at(5))
        }
        #expect(again?.code == .conflict)
    }

    @Test("beacons exchange their identities in one import, also one that lies in the bin")
    func exchangedIdentities() async throws {
        let bench = try Bench()
        var beacons: [StoredDocument] = []
        for minor in 1...3 { beacons.append(try await bench.add(bench.beacon("\(minor)", minor: UInt16(minor)))) }
        try await bench.store.delete(beacons[2].id, by: bench.ana, at: bench.at(1))
        // Its identity is another one's now.
        let fourth = try await bench.add(bench.beacon("4", minor: 3))
        let order = [beacons[1], beacons[0], fourth, beacons[2]]
        var wanted: [DocumentID: Document] = [:]
        for (index, beacon) in order.enumerated() {
            wanted[beacon.id] = bench.beacon("new", minor: UInt16(index + 1))
        }
        try await bench.store.save(all: wanted, by: bench.ben, at: bench.at(2))
        for (id, document) in wanted {
            #expect(try await bench.store.document(id).document == document)
            let identity = try #require(document.beacon?.id)
            #expect(try await bench.store.beacon(identity)?.id == id)
        }
        #expect(try await bench.store.check() == [])
    }

    @Test("an import that gives a beacon the identity of one that keeps it is refused by both names")
    func takenIdentity() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1))
        let squid = try await bench.add(bench.beacon("Squid", minor: 2))
        let crab = try await bench.add(bench.beacon("Crab", minor: 3))
        // The first two exchange theirs, but the third wants one of them.
        let wanted = [
            whale.id: bench.beacon("Whale", minor: 2), squid.id: bench.beacon("Squid", minor: 1),
            crab.id: bench.beacon("Crab", minor: 1),
        ]
        let error = await failure { try await bench.store.save(all: wanted, by: bench.ben, at: bench.at(1)) }
        #expect(error?.code == .taken)
        #expect(["Squid (\(squid.id))", "Crab (\(crab.id))"].contains(error?.place ?? ""), "\(error?.place ?? "")")
        #expect(error?.problem.contains("has this UUID, major and minor") == true)
        let kept = await failure {
            try await bench.store.save(
                all: [whale.id: bench.beacon("Whale", minor: 3)], by: bench.ben, at: bench.at(1))
        }
        #expect(kept?.explanation.contains("Whale (\(whale.id)): Crab has this UUID, major and minor") == true)
        for beacon in [whale, squid, crab] {
            #expect(try await bench.store.document(beacon.id) == beacon)
            let identity = try #require(beacon.document.beacon?.id)
            #expect(try await bench.store.beacon(identity)?.id == beacon.id, "its identity is still found")
        }
    }

    @Test("full beacons exchange images in one import, and only the result may not have too many")
    func exchangedImages() async throws {
        let bench = try Bench()
        var site = SiteDocument()
        site.maximumImages = 2
        _ = try await bench.store.save(.site(site), as: .site, over: 0, by: bench.ana, at: bench.start)
        let (whale, squid) = (
            try await bench.add(bench.beacon("Whale")).id, try await bench.add(bench.beacon("Squid")).id
        )
        var images: [StoredDocument] = []
        for beacon in [whale, squid] {
            for title in ["a", "b"] { images.append(try await bench.add(bench.image(title, of: beacon))) }
        }
        let exchange = [images[0].id: bench.image("a", of: squid), images[2].id: bench.image("a", of: whale)]
        try await bench.store.save(all: exchange, by: bench.ben, at: bench.at(1))
        #expect(try await bench.store.imageCounts() == [whale: 2, squid: 2])
        let third = [DocumentID.random(): bench.image("c", of: whale)]
        let error = await failure { try await bench.store.save(all: third, by: bench.ben, at: bench.at(2)) }
        #expect(error?.code == .limit && error?.place == "Whale (\(whale))")
        // What has no name is called by its id.
        var body = ImageDocument()
        body.beacon = .random()
        let nameless = [DocumentID.random(): Document.image(body)]
        let refused = await failure { try await bench.store.save(all: nameless, by: bench.ben, at: bench.at(2)) }
        #expect(refused?.code == .invalid && refused?.place == nameless.keys.first?.text)
        #expect(try await bench.store.imageCounts() == [whale: 2, squid: 2])
        // The settings of an import hold for its images.
        site.maximumImages = 3
        let documents = third.merging([.site: .site(site)]) { $1 }
        try await bench.store.save(all: documents, by: bench.ben, at: bench.at(3))
        #expect(try await bench.store.imageCounts() == [whale: 3, squid: 2])
    }

    @Test("documents are named in the site's first language, also when the settings are saved for the first time")
    func firstSettings() async throws {
        let bench = try Bench()
        let german = try #require(Language("de"))
        func whale(_ minor: UInt16) throws -> Document {
            var body = try #require(bench.beacon("Whale", minor: minor).beacon)
            body.name[german] = "Wal"
            return .beacon(body)
        }
        try await bench.add(whale(1))
        var site = SiteDocument()
        site.languages = [german, .english]
        try await bench.store.save(
            all: [.site: .site(site), .random(): try whale(2)], by: bench.ana, at: bench.at(1))
        for minor: UInt16 in 1...2 {
            let error = await failure { try await bench.add(bench.beacon("Squid", minor: minor)) }
            #expect(error?.problem.hasPrefix("Wal has this UUID") == true, "\(error?.problem ?? "")")
        }
    }

    @Test("an import uses the library's files for those that it has under other ids")
    func knownFiles() async throws {
        let bench = try Bench()
        let (here, binned) = (try await bench.add(bench.media(1)).id, try await bench.add(bench.media(2)).id)
        try await bench.store.delete(binned, by: bench.ana, at: bench.start)
        // What another server calls them, and a file that is only there.
        let (first, second, third, image, plan) = (
            DocumentID.random(), DocumentID.random(), DocumentID.random(), DocumentID.random(), DocumentID.random()
        )
        var body = try #require(bench.whole("Whale", of: nil, picture: first).image)
        var video = ContentItem(id: .random(), side: .left, kind: .video)
        video.video = second
        video.captions = Localized(first, in: .english)
        video.pictures = [PictureUse(third), PictureUse(first)]
        body.contents = [video]
        body.audio = Localized(first, in: .english)
        var floor = PlanDocument()
        floor.picture = first
        let documents: [DocumentID: Document] = [
            first: bench.media(1), second: bench.media(2), third: bench.media(3), image: .image(body),
            plan: .plan(floor),
        ]
        let joined = try await bench.store.withoutKnownFiles(documents)
        #expect(Set(joined.keys) == [second, third, image, plan])
        #expect(joined[plan]?.plan?.picture == here)
        let expected = [here, third, here, second, here, here]
        #expect(joined[image]?.references.map(\.id).sorted() == expected.sorted())
        try await bench.store.save(all: joined, by: bench.ben, at: bench.at(1))
        #expect(try await bench.store.documents(.media).total == 3)
        #expect(try await bench.store.uses(of: here).count == 5)
        // Its own ids are the library's now.
        #expect(try await bench.store.withoutKnownFiles(joined) == joined)
    }

    @Test("a file that an import gives another document is none that the library keeps")
    func movedFile() async throws {
        let bench = try Bench()
        let here = try await bench.add(bench.media(1)).id
        let documents = [here: bench.media(2), DocumentID.random(): bench.media(1)]
        let joined = try await bench.store.withoutKnownFiles(documents)
        #expect(joined == documents)
        try await bench.store.save(all: joined, by: bench.ben, at: bench.at(1))
        #expect(try await bench.store.documents(.media).total == 2)
    }
}
