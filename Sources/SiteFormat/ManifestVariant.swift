/// A manifest in another language: everything that may differ between languages.
package struct ManifestVariant: Hashable, Sendable, Codable {
    package var beacon: Beacon?
    package var images: [ManifestImage]

    /// The beacon's texts in this language.
    package struct Beacon: Hashable, Sendable, Codable {
        package var name: String?

        package init(name: String? = nil) {
            self.name = name
        }
    }

    package init(beacon: Beacon? = nil, images: [ManifestImage] = []) {
        self.beacon = beacon
        self.images = images
    }
}

// MARK: - Coding of manifests

extension Manifest {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.number(Int.self, forKey: .format)
        beacon = try container.decodeIfPresent(ManifestBeacon.self, forKey: .beacon)
        updatedAt = try container.decodeIfPresent(String.self, forKey: .updatedAt)
        images = try container.decode([ManifestImage].self, forKey: .images)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        variants = try container.decodeIfPresent([String: ManifestVariant].self, forKey: .variants) ?? [:]
        fallback = try container.decodeIfPresent([String].self, forKey: .fallback) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        // Null for the uncategorized content.
        try container.encode(beacon, forKey: .beacon)
        try container.encodeIfPresent(updatedAt, forKey: .updatedAt)
        try container.encode(images, forKey: .images)
        try container.encodeIfPresent(language, forKey: .language)
        if !variants.isEmpty { try container.encode(variants, forKey: .variants) }
        if !fallback.isEmpty { try container.encode(fallback, forKey: .fallback) }
    }

    /// The document's bytes, with sorted keys: equal manifests give equal bytes.
    package func json() throws(ContentError) -> [UInt8] {
        try encodeDocument(self)
    }
}
