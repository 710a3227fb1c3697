import Crypto

/// Proofs that a form comes from a page of this server (cross-site request forgery).
///
/// Each browser has a secret in a cookie that no other site can read: that of its session or, before it is signed in,
/// a random one. A form repeats what is derived from it.
package enum FormSecret {
    /// A new random secret of 256 bits, in characters that a cookie may have.
    package static func random() -> String {
        hex(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    /// What a form repeats: the secret itself never stands in a page.
    package static func proof(_ secret: String) -> String {
        hex(Array(HMAC<SHA256>.authenticationCode(for: Array("form".utf8), using: .init(data: Array(secret.utf8)))))
    }

    /// Takes the same time wherever the texts differ.
    package static func isSame(_ given: some StringProtocol, _ expected: some StringProtocol) -> Bool {
        let (left, right) = (Array(given.utf8), Array(expected.utf8))
        var difference = left.count ^ right.count
        for index in right.indices { difference |= Int(right[index] ^ (index < left.count ? left[index] : 0)) }
        return difference == 0
    }

    static func hex(_ octets: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
