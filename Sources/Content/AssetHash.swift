internal import Beacon
internal import Crypto

/// A SHA-256 that is known to be 64 hexadecimal digits, held in lower case.
///
/// Names of asset files and URLs are made from this type only, so text from the network never becomes a path.
public struct AssetHash: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let description: String

    /// Takes 64 hexadecimal digits in either case; nil for anything else.
    public init?(_ text: String) {
        let digits = text.utf8
        guard digits.count == 64, digits.allSatisfy({ hexDigit($0) != nil }) else { return nil }
        description = text.lowercased()
    }

    init(_ digest: SHA256.Digest) {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for octet in digest {
            text.append(digits[Int(octet >> 4)])
            text.append(digits[Int(octet & 15)])
        }
        description = String(decoding: text, as: UTF8.self)
    }

    /// The hash of `bytes`.
    public init(of bytes: [UInt8]) {
        self.init(SHA256.hash(data: bytes))
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.description < right.description
    }
}
