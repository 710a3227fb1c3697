internal import Crypto
import Text
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A public Ed25519 key (RFC 8032) that may sign site lists.
package struct SiteKey: Hashable, Sendable {
    /// The name for `key_id` in site lists; nil for a key that may sign any list.
    package let id: String?
    /// The 32 bytes of the key.
    package let bytes: [UInt8]

    /// Reads a key: 32 bytes in base64 or hexadecimal digits, or PEM text as `openssl pkey -pubout` writes it. A name
    /// with a colon may come before it: `2026:MCowBQ…`.
    ///
    /// - Throws: `ContentError` with code `.settings`.
    package init(_ text: String) throws(ContentError) {
        var key = text[...]
        var id: String?
        if let colon = text.firstIndex(of: ":"), !text.hasPrefix("-----") {
            id = String(text[..<colon])
            key = text[text.index(after: colon)...]
        }
        let bytes = Self.bytes(key)
        guard let bytes, (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil, id != "" else {
            throw ContentError(
                code: .settings, place: "content public key \"\(excerpt(text, 60))\"",
                cause: "it is no Ed25519 public key",
                remedy: "give its 32 bytes in base64 or hexadecimal digits, or the PEM text of openssl pkey -pubout")
        }
        self.id = id
        self.bytes = bytes
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if lines.hasPrefix("-----BEGIN PUBLIC KEY-----") {
            let body = lines.replacing("-----BEGIN PUBLIC KEY-----", with: "")
                .replacing("-----END PUBLIC KEY-----", with: "").filter { $0 != " " }
            return Data(base64Encoded: body).flatMap { key(in: Array($0)) }
        }
        if lines.utf8.count == 64, let hash = AssetHash(lines) {
            let digits = Array(hash.description.utf8)
            return stride(from: 0, to: 64, by: 2).map { index in
                (digitValue(digits[index]) ?? 0) << 4 | (digitValue(digits[index + 1]) ?? 0)
            }
        }
        guard let data = Data(base64Encoded: lines) else { return nil }
        return data.count == 32 ? Array(data) : key(in: Array(data))
    }

    /// The key in a SubjectPublicKeyInfo. For Ed25519, this is always the same twelve bytes, followed by the key (RFC
    /// 8410, 4).
    private static func key(in info: [UInt8]) -> [UInt8]? {
        let prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        guard info.count == 44, Array(info.prefix(12)) == prefix else { return nil }
        return Array(info.suffix(32))
    }

    /// Whether `signature` is this key's signature of exactly these bytes.
    package func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: self.bytes) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }
}

extension SiteKey: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(try container.decode(String.self))
        } catch let error as ContentError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.cause)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode((id.map { "\($0):" } ?? "") + Data(bytes).base64EncodedString())
    }
}

extension [SiteKey] {
    /// Checks the signature of a site list. A list that names its key is checked only with keys of that name and with
    /// keys without a name.
    ///
    /// - Throws: `ContentError` with code `.signature`, which gives the reason.
    package func check(_ list: SiteList, bytes: [UInt8], signature: [UInt8]?, source: String) throws(ContentError) {
        guard !isEmpty else { return }
        func refuse(_ cause: String, _ remedy: String) -> ContentError {
            ContentError(code: .signature, place: source, cause: cause, remedy: remedy)
        }
        guard let signature else {
            throw refuse(
                "it is not signed, though a public key is configured",
                "publish its signature under v1/signatures/\(AssetHash(of: bytes))")
        }
        let candidates = filter { list.keyID == nil || $0.id == nil || $0.id == list.keyID }
        guard !candidates.isEmpty else {
            throw refuse(
                "it is signed with the key \"\(excerpt(list.keyID ?? ""))\", which is not configured",
                "configure that key if it is the site's own, or sign with a known one")
        }
        guard signature.count == 64 else {
            throw refuse(
                "its signature has \(signature.count) bytes, an Ed25519 signature has 64",
                "publish the raw signature, without base64 or line ends")
        }
        guard candidates.contains(where: { $0.verifies(signature, of: bytes) }) else {
            throw refuse(
                "its signature is not by a key that is configured",
                "sign exactly the published bytes with the right key; if nobody published, somebody may be forging")
        }
    }
}
