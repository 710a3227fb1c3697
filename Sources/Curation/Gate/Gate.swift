internal import Beacon
internal import SiteFormat
internal import Text

/// Checks everything that would be published, as a whole.
package struct Gate: Sendable {
    /// Two images of a beacon are confused if their `likeness` differs in at most this many of its 64 bits.
    ///
    /// Measured with 38 pictures: copies scaled to a quarter or saved with the lowest quality differ in at most 9 bits,
    /// copies without 2 % at each edge mostly in at most 10, and 3 of 703 pairs of different pictures in fewer than 12.
    package static let mostAlike = 10

    private let documents: [DocumentID: Document]
    private let site: SiteDocument

    /// - Parameter documents: the complete site, with its media files and its settings.
    package init(_ documents: [DocumentID: Document]) {
        self.documents = documents
        site = documents[.site]?.site ?? SiteDocument()
    }

    /// All findings, by document: what is needed and missing, and what the rules of the site warn about or refuse.
    package static func findings(site documents: [DocumentID: Document]) -> [GateFinding] {
        Gate(documents).findings
    }

    private var findings: [GateFinding] {
        var found = GateFindings(levels: site.gate)
        var check = DocumentCheck(site: site)
        check.document = { [documents] id in documents[id] }
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) {
            for mistake in check.missing(in: document) { found.needed(id, mistake) }
            look(at: document, id, &found)
        }
        lookForAlikeImages(&found)
        weigh(&found)
        return found.all
    }

    private func look(at document: Document, _ id: DocumentID, _ found: inout GateFindings) {
        for field in document.texts { lookForLanguages(field.text.values.keys, field.field, id, &found) }
        for picture in document.pictures where !picture.use.isDecorative {
            if picture.use.alt.isEmpty {
                found.add(.missingAlt, id, "\(picture.field).alt", Problem(.altMissing))
            } else if !picture.field.hasPrefix("page.") {
                // A picture in a page needs only the language of the page.
                lookForLanguages(picture.use.alt.values.keys, "\(picture.field).alt", id, &found)
            }
        }
        guard let image = document.image else { return }
        if let page = image.page { lookForLanguages(page.body.values.keys, "page.body", id, &found) }
        lookForTranscripts(image, id, &found)
        lookForLinks(image, id, &found)
    }

    /// A text that exists should exist in all languages of the site.
    private func lookForLanguages(
        _ languages: some Collection<Language>, _ field: String, _ id: DocumentID, _ found: inout GateFindings
    ) {
        guard !languages.isEmpty else { return }
        for language in site.languages where !languages.contains(language) {
            found.add(.missingLanguage, id, "\(field).\(language)", Problem(.languageMissing, language.tag))
        }
    }

    private func lookForTranscripts(_ image: ImageDocument, _ id: DocumentID, _ found: inout GateFindings) {
        for language in image.audio.values.keys.sorted() where image.transcript[language] == nil {
            found.add(
                .missingTranscript, id, "transcript.\(language)", Problem(.transcriptMissing, language.tag))
        }
        for content in image.contents where content.video != nil && content.captions.isEmpty {
            found.add(.missingTranscript, id, "\(content.field).captions", Problem(.captionsMissing))
        }
    }

    private func lookForLinks(_ image: ImageDocument, _ id: DocumentID, _ found: inout GateFindings) {
        for content in image.contents {
            if let address = content.videoURL, !LinkAddress.isSecure(address) {
                found.add(.insecureLink, id, "\(content.field).video_url", Problem(.linkInsecure, address))
            }
            if let action = content.action, action.kind == .openURL, !action.value.isEmpty,
                !LinkAddress.isSecure(action.value)
            {
                found.add(.insecureLink, id, "\(content.field).action.value", Problem(.linkInsecure, action.value))
            }
        }
        for (language, body) in image.page?.body.values.sorted(by: { $0.key < $1.key }) ?? [] {
            for address in Set(body.addresses).sorted() where !PageLink.isPublished(address) {
                found.add(.insecureLink, id, "page.body.\(language)", Problem(.linkInsecure, address))
            }
        }
    }

    /// A beacon has at most a few hundred images, so all pairs are compared. A finding is reported for both images,
    /// because only one of them may have changed.
    private func lookForAlikeImages(_ found: inout GateFindings) {
        var images: [DocumentID: [(id: DocumentID, likeness: UInt64)]] = [:]
        for (id, document) in documents.sorted(by: { $0.key < $1.key }) {
            guard let image = document.image, let beacon = image.beacon, let picture = image.picture,
                let likeness = documents[picture.media]?.media?.likeness
            else { continue }
            images[beacon, default: []].append((id, likeness))
        }
        for all in images.values {
            let some = all.prefix(Int(FieldLimits.imageNumbers.upperBound))
            for image in some {
                let twin = some.first { other in
                    other.id != image.id && (other.likeness ^ image.likeness).nonzeroBitCount <= Self.mostAlike
                }
                guard let twin else { continue }
                let name = documents[twin.id]?.name(in: site.languages) ?? ""
                found.add(.alikeImages, image.id, "picture", Problem(.imagesAlike, name))
            }
        }
    }

    /// Adds up the files that devices store. Each counts once, however often it is used.
    private func weigh(_ found: inout GateFindings) {
        var sizes: [AssetHash: Int64] = [:]
        for document in documents.values where document.image != nil {
            for reference in document.references {
                if let media = documents[reference.id]?.media { sizes[media.hash] = media.bytes }
            }
        }
        let total = sizes.values.reduce(Int64(0)) { $0.addingClamped($1) }
        guard total > site.deviceQuota else { return }
        found.add(
            .tooHeavy, .site, "device_quota",
            Problem(.tooHeavy, ByteCount.text(total), ByteCount.text(site.deviceQuota)))
    }
}

/// Collects findings, with the levels that the site has set.
private struct GateFindings {
    let levels: [GateRule: GateLevel]
    private(set) var all: [GateFinding] = []

    init(levels: [GateRule: GateLevel]) {
        self.levels = levels
    }

    mutating func needed(_ id: DocumentID, _ mistake: FieldMistake) {
        all.append(GateFinding(document: id, field: mistake.field, problem: mistake.problem, rule: nil, level: .refuse))
    }

    mutating func add(_ rule: GateRule, _ id: DocumentID, _ field: String, _ problem: Problem) {
        let level = levels[rule] ?? .warn
        guard level != .ignore else { return }
        all.append(GateFinding(document: id, field: field, problem: problem, rule: rule, level: level))
    }
}
