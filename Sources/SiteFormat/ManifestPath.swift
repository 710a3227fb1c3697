/// A path in a site list, of a manifest or of something else: a plain path inside the site, never a URL.
///
/// A path such as `v1/beacons/….json` or `/v1/beacons/….json` starts at the base, any other at the list's own folder
/// `{base}/v1/`. Its segments contain only letters, digits and `-._~!$&'()*+,;=:@`, and are never `.` or `..`. So it
/// can neither leave the site nor have a query.
package struct ManifestPath: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The path as it is written in the list.
    package let description: String

    /// Nil for anything other than a plain path inside the site.
    package init?(_ text: String) {
        let path = text.hasPrefix("/") ? text.dropFirst() : text[...]
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= 1024,
            segments.allSatisfy({ segment in
                !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.allSatisfy(isPathCharacter)
            }),
            // A colon in the first segment would be read as a scheme (RFC 3986, 4.2).
            text.hasPrefix("/") || segments.first?.contains(":") == false
        else { return nil }
        description = text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let path = ManifestPath(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "it is not a plain path inside the site")
        }
        self = path
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
