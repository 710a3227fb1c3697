/// The path of a manifest in a site list, or of what else a list names: a plain path inside the site, never a URL.
///
/// Written as `v1/beacons/….json` or `/v1/beacons/….json` it starts at the base, otherwise at the list's own folder
/// `{base}/v1/`. Only letters, digits and `-._~!$&'()*+,;=:@` are allowed in its segments, and no `.` or `..`: it
/// can neither leave the site nor carry a query.
package struct ManifestPath: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The path as the list has it.
    package let description: String

    /// Nil for anything but a plain path inside the site.
    package init?(_ text: String) {
        let path = text.hasPrefix("/") ? text.dropFirst() : text[...]
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= 1024,
            segments.allSatisfy({ segment in
                !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.allSatisfy(isPathCharacter)
            }),
            // A colon in the first segment would read as a scheme (RFC 3986, 4.2).
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
