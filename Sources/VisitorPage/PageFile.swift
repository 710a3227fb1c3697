/// A file of the page for visitors, as it is served.
public struct PageFile: Sendable {
    /// The last part of its path; empty for the page itself.
    public var name: String
    public var mediaType: String
    public var octets: [UInt8]
    /// Fields to send with it.
    public var fields: [String: String]

    init(_ name: String, _ mediaType: String, _ octets: [UInt8], policy: String = VisitorPage.policy) {
        self.name = name
        self.mediaType = mediaType
        self.octets = octets
        fields = [
            "Cache-Control": "no-cache",
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "ETag": "\"\(Self.digest(octets))\"",
            "Referrer-Policy": "no-referrer",
        ]
    }

    /// FNV-1a: it tells two versions apart, and is no proof of anything.
    private static func digest(_ octets: [UInt8]) -> String {
        String(octets.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}
