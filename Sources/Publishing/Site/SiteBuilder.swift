import Beacon
package import Curation
import SiteFormat

/// Makes the files of a revision from its documents. Equal documents give equal bytes.
package struct SiteBuilder {
    private let documents: [DocumentID: Document]
    private let moment: Moment
    private let site: SiteDocument
    private let previous: BuiltRevision?
    private let pagePicture: (MediaDocument) -> String?

    /// - Parameters:
    ///   - documents: everything that the revision publishes, by id. Content that is incomplete or not valid at
    ///   `moment` is left out.
    ///   - revision: the number of the revision, higher than every earlier one.
    ///   - moment: the time of publication.
    ///   - previous: the revision before it. A manifest that is otherwise unchanged keeps its `updated_at`, and so its
    ///   bytes.
    ///   - pagePicture: gives a picture as a `data:` address, for full pages, which load nothing; nil leaves it out.
    /// - Throws: `PublishingError` with code `.content` or `.limit` for content that devices would refuse, and `.key`
    ///   if
    ///   the list cannot be signed.
    package static func build(
        documents: [DocumentID: Document], revision: Int64, at moment: Moment, key: SigningKey? = nil,
        over previous: BuiltRevision? = nil, pagePicture: @escaping (MediaDocument) -> String? = { _ in nil }
    ) throws(PublishingError) -> BuiltRevision {
        let builder = SiteBuilder(
            documents: documents, moment: moment, site: documents[.site]?.site ?? SiteDocument(), previous: previous,
            pagePicture: pagePicture)
        return try builder.build(revision: revision, key: key)
    }

    private func build(revision: Int64, key: SigningKey?) throws(PublishingError) -> BuiltRevision {
        var built = BuiltRevision(list: [], files: [:])
        var list = SiteList(
            revision: revision, updatedAt: moment.description, keyID: key?.id, languages: site.languages.map(\.tag),
            reports: site.takesReports ? ManifestPath("reports") : nil, entries: [:])
        let images = self.images
        for (scope, id) in try scopes(hasUncategorized: images[nil] != nil) {
            let manifest = try manifest(of: id, images[id] ?? [])
            let file = try file(manifest, path: scope.path + ".json")
            // Also by content, so that a reader of an old list still finds exactly what it names.
            let path = "manifests/\(file.hash).json"
            built.files[scope.path + ".json"] = file
            built.files[path] = file
            for asset in manifest.assets {
                built.assets[asset.sha256] = BuiltAsset(
                    bytes: asset.bytes, mediaType: asset.mediaType ?? "application/octet-stream")
            }
            list.entries[scope] = ManifestPath(path).map {
                SiteList.Entry(name: manifest.beacon?.name, manifest: $0, sha256: file.hash)
            }
        }
        built.list = try formatted { () throws(ContentError) in try list.json() }
        guard built.list.count <= 16 << 20, list.entries.count <= ContentLimits.listEntries else {
            throw PublishingError(
                .limit, place: "site.json", "the list is larger than devices accept",
                remedy: "publish at most \(ContentLimits.listEntries) beacons in a list of 16 MiB")
        }
        built.signature = if let key { try key.signature(of: built.list) } else { nil }
        return built
    }

    /// The scopes of all manifests, in the list's order, with the beacon's document.
    private func scopes(hasUncategorized: Bool) throws(PublishingError) -> [(ContentScope, DocumentID?)] {
        var scopes: [ContentScope: DocumentID?] = [:]
        for (id, document) in documents {
            guard let beacon = document.beacon, let identity = beacon.id else { continue }
            if scopes.updateValue(id, forKey: .beacon(identity)) != nil {
                throw PublishingError(
                    .content, place: "\(identity)", "two beacons have this identity",
                    remedy: "change the major or minor of one of them")
            }
        }
        if hasUncategorized { scopes.updateValue(nil, forKey: .uncategorized) }
        return scopes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The images that are shown, by beacon, in order.
    private var images: [DocumentID?: [(id: DocumentID, image: ImageDocument)]] {
        let whole = ManifestBuilder(documents: documents, languages: site.languages)
        let shown = documents.compactMap { id, document in
            document.image.flatMap { image in
                image.isValid(at: moment) && whole.image(id, image) != nil ? (id: id, image: image) : nil
            }
        }
        return Dictionary(grouping: shown, by: \.image.beacon)
            .mapValues { $0.sorted { ($0.image.rank, $0.id) < ($1.image.rank, $1.id) } }
    }

    private func manifest(
        of id: DocumentID?, _ images: [(id: DocumentID, image: ImageDocument)]
    ) throws(PublishingError) -> Manifest {
        let beacon = id.flatMap { documents[$0]?.beacon }
        let first = variant(site.defaultLanguage, beacon, images)
        guard images.count <= site.maximumImages else {
            throw PublishingError(
                .limit, place: first.beacon?.name ?? "uncategorized", "it has \(images.count) images to recognise",
                remedy: "keep at most \(site.maximumImages), or raise the site's maximum")
        }
        var manifest = Manifest(
            beacon: beacon?.id.map {
                ManifestBeacon(
                    uuid: $0.uuid.description, major: $0.major, minor: $0.minor, name: first.beacon?.name)
            },
            images: first.images, language: site.defaultLanguage.tag)
        guard site.languages.count > 1 else { return manifest }
        manifest.fallback = site.languages.map(\.tag)
        for language in site.languages.dropFirst() {
            let variant = variant(language, beacon, images)
            // A language without any text of its own falls back to the default anyway.
            if variant != first { manifest.variants[language.tag] = variant }
        }
        return manifest
    }

    private func variant(
        _ language: Language, _ beacon: BeaconDocument?, _ images: [(id: DocumentID, image: ImageDocument)]
    ) -> ManifestVariant {
        let builder = ManifestBuilder(
            documents: documents, languages: site.fallback(of: language), pagePicture: pagePicture)
        return ManifestVariant(
            beacon: beacon.map { ManifestVariant.Beacon(name: builder.text($0.name)) },
            images: images.compactMap { builder.image($0.id, $0.image) })
    }

    /// The manifest's bytes. They are the previous ones if only the time would change.
    private func file(_ manifest: Manifest, path: String) throws(PublishingError) -> BuiltFile {
        var manifest = manifest
        if let old = previous?.files[path], let before = try? Manifest(json: old.bytes) {
            manifest.updatedAt = before.updatedAt
            if try bytes(manifest) == old.bytes { return old }
        }
        manifest.updatedAt = moment.description
        let bytes = try bytes(manifest)
        guard bytes.count <= 1 << 20, manifest.assets.count <= ContentLimits.manifestAssets else {
            throw PublishingError(
                .limit, place: manifest.beacon?.name ?? path,
                "its manifest is larger than devices accept: \(bytes.count) bytes, \(manifest.assets.count) files",
                remedy: "shorten its pages, or divide its images among several beacons")
        }
        return BuiltFile(bytes)
    }

    private func bytes(_ manifest: Manifest) throws(PublishingError) -> [UInt8] {
        try formatted { () throws(ContentError) in try manifest.json() }
    }

    private func formatted(_ encode: () throws(ContentError) -> [UInt8]) throws(PublishingError) -> [UInt8] {
        do {
            return try encode()
        } catch {
            throw PublishingError(.content, place: error.place, error.cause, remedy: error.remedy)
        }
    }
}

extension SiteDocument {
    /// The languages in which a text is searched for, for a reader of `language`: it comes first, then the site's in
    /// order.
    package func fallback(of language: Language) -> [Language] {
        [language] + languages.filter { $0 != language }
    }
}
