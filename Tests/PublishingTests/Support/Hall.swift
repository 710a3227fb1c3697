import Beacon
import Curation
import Publishing
import SiteFormat
import TestSupport

/// Documents of a small museum, made of a seed.
struct Hall {
    var documents: [DocumentID: Document] = [:]
    /// The bytes of the media library.
    var media: [AssetHash: [UInt8]] = [:]
    var generator: SeededGenerator

    static let start = Moment(Timestamp(seconds: 1_780_000_000))

    init(seed: UInt64, beacons: Int = 0, images: Int = 0, languages: [String] = ["en"]) {
        generator = SeededGenerator(seed: seed)
        var site = SiteDocument()
        site.languages = languages.compactMap(Language.init)
        documents[.site] = .site(site)
        for number in 0..<beacons {
            let beacon = addBeacon(minor: UInt16(number))
            for rank in 0..<images { addImage(of: beacon, rank: Int64(rank)) }
        }
    }

    var languages: [Language] { documents[.site]?.site?.languages ?? [] }

    mutating func id(_ kind: String) -> DocumentID {
        DocumentID("\(kind)-\(documents.count)") ?? .random(using: &generator)
    }

    /// Words in some of the languages, in the first at least.
    mutating func text(_ word: String) -> LocalizedText {
        var text = LocalizedText()
        for (index, language) in languages.enumerated() where index == 0 || Bool.random(using: &generator) {
            text[language] = "\(word) \(language) \"<&\u{1F40B}\(UInt16.random(in: 0...999, using: &generator))"
        }
        return text
    }

    @discardableResult
    mutating func addBeacon(minor: UInt16) -> DocumentID {
        var beacon = BeaconDocument()
        beacon.name = text("Beacon \(minor)")
        beacon.uuid = ProximityUUID("636f3f8f-6491-4bee-95f7-d8cc64a863b5")
        (beacon.major, beacon.minor) = (1, minor)
        let id = id("beacon")
        documents[id] = .beacon(beacon)
        return id
    }

    @discardableResult
    mutating func addMedia(_ type: String = "image/png") -> DocumentID {
        let bytes = generator.octets(Int.random(in: 1...400, using: &generator))
        var document = MediaDocument(hash: AssetHash(of: bytes), bytes: Int64(bytes.count), mediaType: type)
        document.name = "IMG_\(media.count).png"
        media[document.hash] = bytes
        let id = id("media")
        documents[id] = .media(document)
        return id
    }

    mutating func picture() -> PictureUse {
        var use = PictureUse(addMedia())
        use.isDecorative = Bool.random(using: &generator)
        use.alt = text("alt")
        return use
    }

    @discardableResult
    mutating func addImage(of beacon: DocumentID?, rank: Int64) -> DocumentID {
        var image = ImageDocument()
        image.beacon = beacon
        image.rank = rank
        image.title = text("Image \(rank)")
        image.picture = picture()
        image.widthCm = 40
        for side in ContentItem.Side.allCases where Bool.random(using: &generator) {
            image.contents.append(content(side))
        }
        let id = id("image")
        documents[id] = .image(image)
        return id
    }

    mutating func content(_ side: ContentItem.Side) -> ContentItem {
        let kind = ContentItem.Kind.allCases.randomElement(using: &generator) ?? .image
        var content = ContentItem(id: id("content"), side: side, kind: kind)
        content.label = text("label")
        switch kind {
        case .image: content.pictures = [picture()]
        case .gallery: content.pictures = (0..<3).map { _ in picture() }
        case .video: content.videoURL = "https://museum.example/whale.mp4"
        case .map: content.coordinates = Coordinates(latitude: 43.85, longitude: 18.41)
        }
        if kind.takesAction {
            var action = ActionItem(kind: .openURL, value: "https://museum.example/")
            action.name = text("action")
            content.action = action
        }
        return content
    }

    /// Changes one image.
    mutating func edit(_ id: DocumentID, _ change: (inout ImageDocument) -> Void) {
        guard case .image(var image)? = documents[id] else { return }
        change(&image)
        documents[id] = .image(image)
    }

    func build(
        revision: Int64 = 1, at moment: Moment = Hall.start, key: SigningKey? = nil, over previous: BuiltRevision? = nil
    ) throws(PublishingError) -> BuiltRevision {
        try SiteBuilder.build(documents: documents, revision: revision, at: moment, key: key, over: previous)
    }
}

extension BuiltRevision {
    func manifest(_ path: String) throws -> Manifest {
        try Manifest(json: files[path]?.bytes ?? [])
    }
}

extension Moment {
    func advanced(seconds: Double) -> Moment { Moment(time.advanced(bySeconds: seconds)) }
}
