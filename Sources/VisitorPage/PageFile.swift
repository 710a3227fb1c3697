import Text

/// A file of a page, in the form in which the server sends it.
package struct PageFile: Sendable {
    /// The last part of its path; empty for the page itself.
    package var name: String
    package var mediaType: String
    package var octets: [UInt8]
    /// The content in the gzip format; nil if that is not smaller.
    package var gzipped: [UInt8]?
    /// Header fields to send with it.
    package var fields: [String: String]

    /// A file that is the same for every client.
    ///
    /// - Parameter policy: its Content-Security-Policy.
    package init(_ name: String, _ mediaType: String, _ octets: [UInt8], policy: String = VisitorPage.policy) {
        self.name = name
        self.mediaType = mediaType
        self.octets = octets
        gzipped = Gzip.compress(octets)
        fields = Self.fields(policy: policy).merging([
            "Cache-Control": "no-cache",
            "ETag": "\"\(shortDigest(octets))\"",
            "Vary": "Accept-Encoding",
        ]) { $1 }
    }

    /// A page that is generated for one response.
    init(made text: String, policy: String) {
        name = ""
        mediaType = VisitorPage.html
        octets = Array(text.utf8)
        gzipped = nil
        fields = Self.fields(policy: policy).merging(["Cache-Control": "no-store"]) { $1 }
    }

    /// The bytes to send, and the header fields with them.
    ///
    /// - Parameter accepted: the client's `Accept-Encoding`.
    package func coded(for accepted: String?) -> (octets: [UInt8], fields: [String: String]) {
        guard let gzipped, Self.takesGzip(accepted) else { return (octets, fields) }
        // RFC 9110, section 8.8.3: each content coding needs an entity tag of its own.
        let tag = fields["ETag"].map { String($0.dropLast()) + "-gzip\"" }
        return (gzipped, fields.merging(["Content-Encoding": "gzip", "ETag": tag ?? ""]) { $1 })
    }

    /// Whether a client accepts gzip (RFC 9110, section 12.5.3).
    static func takesGzip(_ accepted: String?) -> Bool {
        let codings = (accepted ?? "").lowercased().split(separator: ",").map { part in
            part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        func isTaken(_ name: String) -> Bool? {
            guard let coding = codings.first(where: { $0.first == name }) else { return nil }
            let weight = coding.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return (weight ?? 1) > 0
        }
        return isTaken("gzip") ?? isTaken("*") ?? false
    }

    private static func fields(policy: String) -> [String: String] {
        [
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
        ]
    }
}
