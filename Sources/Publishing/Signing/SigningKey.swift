import Crypto
import SiteFormat

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The private Ed25519 key (RFC 8032) that signs site lists.
package struct SigningKey: Sendable {
    /// The name for `key_id` in lists.
    package let id: String?
    private let key: Curve25519.Signing.PrivateKey

    /// A new key.
    package init(id: String?) {
        self.id = id
        key = Curve25519.Signing.PrivateKey()
    }

    /// Reads PEM text (PKCS #8, RFC 8410), as written by `pem` or `openssl genpkey -algorithm ed25519`.
    ///
    /// A line `key_id: NAME` before the key gives its name.
    ///
    /// - Parameter source: the file, for the message.
    /// - Throws: `PublishingError` with code `.key`.
    package init(pem: String, source: String) throws(PublishingError) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
        guard let start = lines.firstIndex(of: Self.header[...]), let end = lines.firstIndex(of: Self.footer[...]),
            start < end, let data = Data(base64Encoded: lines[(start + 1)..<end].joined()),
            data.count == Self.prefix.count + 32, Array(data.prefix(Self.prefix.count)) == Self.prefix,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: data.suffix(32))
        else {
            throw PublishingError(
                .key, place: source, "it is no Ed25519 private key in PEM",
                remedy: "make one with beacon-content-server keygen, or openssl genpkey -algorithm ed25519")
        }
        let name = lines[..<start].first { $0.hasPrefix(Self.name) }?.dropFirst(Self.name.count)
        id = name.map { String($0.drop(while: \.isWhitespace)) }
        self.key = key
    }

    /// The private key as PEM text. Anyone who has it can publish in the site's name.
    package var pem: String {
        let body = (Data(Self.prefix) + key.rawRepresentation).base64EncodedString()
        return (id.map { "\(Self.name) \($0)\n" } ?? "") + "\(Self.header)\n\(body)\n\(Self.footer)\n"
    }

    /// The public key as PEM text, for the configuration of the devices.
    package var publicPEM: String {
        let body = (Data(Self.publicPrefix) + key.publicKey.rawRepresentation).base64EncodedString()
        return "-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----\n"
    }

    /// The raw signature of exactly these bytes: 64 bytes.
    ///
    /// - Throws: `PublishingError` with code `.key`.
    package func signature(of bytes: [UInt8]) throws(PublishingError) -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes))
        } catch {
            throw PublishingError(.key, "the list cannot be signed: \(error)", remedy: "make a new key")
        }
    }

    private static let name = "key_id:"
    private static let header = "-----BEGIN PRIVATE KEY-----"
    private static let footer = "-----END PRIVATE KEY-----"
    /// PrivateKeyInfo and SubjectPublicKeyInfo of Ed25519 always consist of these bytes and the key (RFC 8410, 4 and
    /// 7).
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let publicPrefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}
