import Crypto
import FoundationEssentials

/// The cipher of one direction: ChaCha20-Poly1305 with a counter. Noise Protocol Framework, revision 34, section 5.1.
package struct NoiseCipher: Sendable {
    /// Octets that encryption adds.
    static let tag = 16

    private let key: SymmetricKey
    private var counter: UInt64 = 0

    init(key: SymmetricKey) {
        self.key = key
    }

    private mutating func nonce() throws -> ChaChaPoly.Nonce {
        defer { counter &+= 1 }
        return try ChaChaPoly.Nonce(data: [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) })
    }

    package mutating func seal(_ text: [UInt8], authenticating data: [UInt8] = []) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(text, using: key, nonce: nonce(), authenticating: data)
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: if the octets were not encrypted with this key and counter.
    package mutating func open(_ octets: [UInt8], authenticating data: [UInt8] = []) throws -> [UInt8] {
        guard octets.count >= Self.tag else { throw CryptoKitError.authenticationFailure }
        let box = try ChaChaPoly.SealedBox(
            nonce: nonce(), ciphertext: octets.dropLast(Self.tag), tag: octets.suffix(Self.tag))
        return Array(try ChaChaPoly.open(box, using: key, authenticating: data))
    }
}
