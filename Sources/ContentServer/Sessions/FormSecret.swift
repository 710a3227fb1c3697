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

    static func hex(_ octets: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
