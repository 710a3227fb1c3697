import Beacon
import Curation
import Publishing
import SiteFormat
import TestSupport
import Testing

/// What is built is held against what devices read.
@Suite struct SiteBuilderTests {
    private let path = "beacons/636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/0.json"

    @Test("devices can read every site that is built", arguments: 0..<40 as Range<UInt64>)
    func readable(seed: UInt64) throws {
        var hall = Hall(seed: seed, beacons: 5, images: 4, languages: ["en", "bs", "cs", "de"])
        if seed % 2 == 0 { hall.addImage(of: nil, rank: 0) }
        let built = try hall.build(revision: 7)
        let list = try SiteList(json: built.list)
        #expect(list.revision == 7)
        #expect(list.languages == ["en", "bs", "cs", "de"])
        #expect(list.entries.count == (seed % 2 == 0 ? 6 : 5))
        for (scope, entry) in list.entries {
            let file = try #require(built.files[entry.manifest.description])
            #expect(AssetHash(of: file.bytes) == entry.sha256)
            #expect(built.files["\(scope.path).json"] == file, "the path by identity has the same bytes")
            let manifest = try Manifest(json: file.bytes)
            #expect(manifest.images.count == (scope == .uncategorized ? 1 : 4))
            let missing = manifest.assets.filter { asset in built.assets[asset.sha256]?.bytes != asset.bytes }
            #expect(missing.isEmpty)
        }
        #expect(built.assets.allSatisfy { hall.media[$0.key]?.count == Int($0.value.bytes) })
    }

    @Test("equal documents give equal bytes", arguments: 0..<10 as Range<UInt64>)
    func deterministic(seed: UInt64) throws {
        let hall = Hall(seed: seed, beacons: 3, images: 3, languages: ["en", "de"])
        var other = hall
        other.documents = Dictionary(uniqueKeysWithValues: hall.documents.shuffled())
        #expect(try hall.build() == other.build())
    }

    @Test("one change gives a new list and one new manifest, the rest keeps its bytes")
    func change() throws {
        var hall = Hall(seed: 1, beacons: 4, images: 2)
        let image = try #require(hall.documents.first { $0.value.image?.beacon?.text == "beacon-1" }?.key)
        let first = try hall.build(revision: 1)
        hall.edit(image) { $0.title = LocalizedText("Another title", in: .english) }
        let second = try hall.build(revision: 2, at: Hall.start.advanced(seconds: 60), over: first)
        let changed = second.files.filter { first.files[$0.key] != $0.value }.keys
        #expect(changed.count == 2, "the manifest by identity and by content: \(changed)")
        #expect(try SiteList(json: second.list).updatedAt == "\(Hall.start.advanced(seconds: 60))")
    }

    @Test("images are in the curators' order, and at equal ranks in the order of their names")
    func order() throws {
        var hall = Hall(seed: 2, beacons: 1)
        let beacon = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        let ranks: [Int64] = [5, 3, 3, -1, 40]
        let ids = ranks.map { hall.addImage(of: beacon, rank: $0) }
        let expected = zip(ranks, ids).sorted { $0 < $1 }.map(\.1.text)
        #expect(try hall.build().manifest(path).images.map(\.id) == expected)
    }

    @Test("25 images of a beacon are published, 26 are refused with the beacon's name")
    func maximum() throws {
        var hall = Hall(seed: 3, beacons: 1, images: 25)
        #expect(try hall.build().manifest(path).images.count == 25)
        let beacon = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        hall.addImage(of: beacon, rank: 26)
        let error = try #require(throws: PublishingError.self) { try hall.build() }
        #expect(error.code == .limit)
        #expect(error.place.hasPrefix("Beacon 0"))
    }

    @Test("two beacons with one identity are refused")
    func twice() throws {
        var hall = Hall(seed: 4, beacons: 1)
        hall.addBeacon(minor: 0)
        let error = try #require(throws: PublishingError.self) { try hall.build() }
        #expect(error.code == .content)
    }

    @Test("a text is published in the reader's language, or else in the first that has it")
    func fallback() throws {
        var hall = Hall(seed: 5, beacons: 1, languages: ["en", "de", "cs"])
        let beacon = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        let (english, german, czech) = (hall.languages[0], hall.languages[1], hall.languages[2])
        let first = hall.addImage(of: beacon, rank: 1)
        let second = hall.addImage(of: beacon, rank: 2)
        hall.edit(first) { $0.title = LocalizedText([english: "Whale", german: "Wal", czech: " "]) }
        hall.edit(second) { $0.title = LocalizedText([czech: "Velryba"]) }
        let manifest = try hall.build().manifest(path)
        #expect(manifest.language == "en")
        #expect(manifest.fallback == ["en", "de", "cs"])
        #expect(manifest.images.map(\.title) == ["Whale", "Velryba"])
        #expect(manifest.variants["de"]?.images.map(\.title) == ["Wal", "Velryba"])
    }

    @Test("a language without a word of its own has no variant")
    func noVariant() throws {
        var hall = Hall(seed: 6, beacons: 1)
        let beacon = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        hall.addImage(of: beacon, rank: 1)
        var site = SiteDocument()
        site.languages = ["en", "de"].compactMap(Language.init)
        hall.documents[.site] = .site(site)
        #expect(try hall.build().manifest(path).variants.isEmpty)
    }

    @Test("drafts are left out: images without a picture, contents without their files, nameless beacons' identity")
    func drafts() throws {
        var hall = Hall(seed: 7, beacons: 1)
        let beacon = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        hall.documents[hall.id("beacon")] = .beacon(BeaconDocument())
        let without = hall.addImage(of: beacon, rank: 1)
        hall.edit(without) { $0.picture = nil }
        let lost = hall.addImage(of: beacon, rank: 2)
        hall.edit(lost) { $0.picture?.media = .random() }
        let whole = hall.addImage(of: beacon, rank: 3)
        hall.edit(whole) { image in
            image.contents = ContentItem.Side.allCases.map { side in
                ContentItem(id: .random(), side: side, kind: .gallery)
            }
        }
        let built = try hall.build()
        #expect(try SiteList(json: built.list).entries.count == 1)
        let manifest = try built.manifest(path)
        #expect(manifest.images.map(\.id) == [whole.text])
        #expect(manifest.images[0].contents.isEmpty)
    }

    @Test("alternative texts: null where nothing is said, empty where the picture is decorative, never the file's name")
    func alternative() throws {
        var hall = Hall(seed: 8, beacons: 1)
        let beacon = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        let uses: [(Bool, String?)] = [(true, "ignored"), (false, nil), (false, "A whale")]
        for (rank, use) in uses.enumerated() {
            let image = hall.addImage(of: beacon, rank: Int64(rank))
            hall.edit(image) { image in
                image.contents = []
                image.picture?.isDecorative = use.0
                image.picture?.alt = use.1.map { LocalizedText($0, in: .english) } ?? LocalizedText()
            }
        }
        let built = try hall.build()
        #expect(try built.manifest(path).images.map(\.alt) == ["", nil, "A whale"])
        let text = String(decoding: built.files[path]?.bytes ?? [], as: UTF8.self)
        #expect(text.contains("\"alt\":null"))
        #expect(!text.contains("IMG_"))
    }

    @Test("an image is published from its first instant until its last, and the schedule knows both")
    func validity() throws {
        var hall = Hall(seed: 9, beacons: 1, images: 1)
        let image = try #require(hall.documents.first { $0.value.image != nil }?.key)
        let (from, until) = (Hall.start.advanced(seconds: 10), Hall.start.advanced(seconds: 20))
        hall.edit(image) { ($0.validFrom, $0.validUntil) = (from, until) }
        func shown(_ moment: Moment) throws -> Int { try hall.build(at: moment).manifest(path).images.count }
        #expect(try shown(Hall.start) == 0)
        #expect(try shown(from) == 1)
        #expect(try shown(until) == 0)
        let schedule = SiteSchedule(hall.documents)
        #expect(schedule.next(after: Hall.start) == from)
        #expect(schedule.next(after: from) == until)
        #expect(schedule.next(after: until) == nil)
    }

    @Test("reports are invited only where the site takes them")
    func reports() throws {
        var hall = Hall(seed: 10)
        #expect(try SiteList(json: hall.build().list).reports == nil)
        var site = SiteDocument()
        site.takesReports = true
        hall.documents[.site] = .site(site)
        #expect(try SiteList(json: hall.build().list).reports?.description == "reports")
    }
}
