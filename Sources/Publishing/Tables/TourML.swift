import Beacon
package import Curation
import SiteFormat
import Text

/// The site as a tour in TourML (namespace of 2011/11), the exchange format for museum tours. It has a stop for each
/// beacon, a stop below it for each image to recognise, and the library's files that these show.
package enum TourML {
    /// - Parameter base: the URL of the published site. Assets are at `{base}/v1/assets/{sha256}`.
    package static func text(_ documents: [DocumentID: Document], base: String) -> String {
        var tour = TourText(documents: documents, base: base)
        return tour.text()
    }
}

private struct TourText {
    let documents: [DocumentID: Document]
    let base: String
    private let site: SiteDocument
    private var stops: [String] = []
    private var connections: [String] = []
    /// Files in the order of their first use.
    private var used: [DocumentID] = []

    init(documents: [DocumentID: Document], base: String) {
        self.documents = documents
        self.base = base
        site = documents[.site]?.site ?? SiteDocument()
    }

    mutating func text() -> String {
        let images = documents.compactMap { id, document in document.image.map { (id: id, image: $0) } }
            .sorted { ($0.image.rank, $0.id) < ($1.image.rank, $1.id) }
        let beacons = documents.compactMap { id, document in document.beacon.map { (id: id, beacon: $0) } }
            .sorted { $0.id < $1.id }
        for (id, beacon) in beacons {
            var properties: [(String, String)] = []
            if let identity = beacon.id {
                properties = [
                    ("ibeacon_uuid", "\(identity.uuid)"), ("ibeacon_major", "\(identity.major)"),
                    ("ibeacon_minor", "\(identity.minor)"),
                ]
            }
            stops.append(stop(id, "stop_group", titles("Title", beacon.name), properties))
            for (rank, child) in images.filter({ $0.image.beacon == id }).enumerated() {
                connections.append(
                    "  <tourml:Connection tourml:srcId=\"\(id)\" tourml:destId=\"\(child.id)\" "
                        + "tourml:priority=\"\(rank)\"/>"
                )
            }
        }
        for (id, image) in images { stops.append(imageStop(id, image)) }
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <tourml:Tour xmlns:tourml="http://www.imamuseum.org/TourML/2011/11" tourml:id="\(DocumentID.site)">
              <tourml:TourMetadata>
                <tourml:Title xml:lang="\(site.defaultLanguage)">\(escaped(site.title))</tourml:Title>
              </tourml:TourMetadata>
            """
        return ([head] + stops + used.compactMap(asset) + connections + ["</tourml:Tour>"]).joined(separator: "\n")
            + "\n"
    }

    private mutating func imageStop(_ id: DocumentID, _ image: ImageDocument) -> String {
        var parts = titles("Title", image.title)
        let texts = image.page?.body.values.mapValues(\.plainText) ?? [:]
        parts += titles("Description", LocalizedText(texts))
        if let picture = image.picture { parts += reference(picture.media, "primary") }
        for content in image.contents {
            for picture in content.pictures { parts += reference(picture.media, "image") }
            if let video = content.video { parts += reference(video, "video") }
        }
        for (_, audio) in image.audio.values.sorted(by: { $0.key < $1.key }) { parts += reference(audio, "audio") }
        return stop(id, image.audio.isEmpty ? "image_stop" : "audio_stop", parts, [])
    }

    private func stop(
        _ id: DocumentID, _ view: String, _ parts: [String], _ properties: [(String, String)]
    ) -> String {
        var lines = ["  <tourml:Stop tourml:id=\"\(id)\" tourml:view=\"\(view)\">"] + parts
        if !properties.isEmpty {
            let set = properties.map {
                "      <tourml:Property tourml:name=\"\($0.0)\">\(escaped($0.1))</tourml:Property>"
            }
            lines += ["    <tourml:PropertySet>"] + set + ["    </tourml:PropertySet>"]
        }
        return (lines + ["  </tourml:Stop>"]).joined(separator: "\n")
    }

    private func titles(_ element: String, _ text: LocalizedText) -> [String] {
        text.tidied.values.sorted { $0.key < $1.key }.map { language, value in
            "    <tourml:\(element) xml:lang=\"\(language)\">\(escaped(value))</tourml:\(element)>"
        }
    }

    private mutating func reference(_ media: DocumentID, _ usage: String) -> [String] {
        guard documents[media]?.media != nil else { return [] }
        if !used.contains(media) { used.append(media) }
        return ["    <tourml:AssetRef tourml:id=\"\(media)\" tourml:usage=\"\(usage)\"/>"]
    }

    private func asset(_ id: DocumentID) -> String? {
        documents[id]?.media.map { media in
            """
              <tourml:Asset tourml:id="\(id)">
                <tourml:Source tourml:uri="\(escaped("\(base)/v1/assets/\(media.hash)"))" \
            tourml:format="\(escaped(media.mediaType))"/>
              </tourml:Asset>
            """
        }
    }

    private func escaped(_ text: String) -> String {
        // A reader of XML would make another line end of a carriage return.
        escapedMarkup(text.unicodeScalars.filter { $0.isXMLCharacter && $0 != "\r" })
    }
}
