import Crypto
import FoundationEssentials

/// The handshake of an encrypted connection, on the client's side: `Noise_NNpsk0_25519_ChaChaPoly_SHA256` of the Noise
/// Protocol Framework, revision 34, sections 5.2, 5.3 and 9.
package struct NoiseHandshake: Sendable {
    private static let name = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"

    private var hash: [UInt8]
    private var chaining: [UInt8]
    private var cipher: NoiseCipher
    private let ephemeral: Curve25519.KeyAgreement.PrivateKey
    /// The handshake message for the proxy.
    package let message: [UInt8]

    /// - Parameters:
    ///   - key: the pre-shared key, 32 octets.
    ///   - prologue: data that both sides must agree on before the handshake.
    ///   - secret: 32 octets; nil for a new random one. Only tests pass a secret.
    package init(key: [UInt8], prologue: [UInt8], secret: [UInt8]? = nil) throws {
        typealias Secret = Curve25519.KeyAgreement.PrivateKey
        ephemeral = try secret.map { try Secret(rawRepresentation: $0) } ?? Secret()
        var hash = Self.digest(Array(Self.name.utf8))
        var chaining = hash
        hash = Self.digest(hash + prologue)
        // psk
        let derived = Self.derive(chaining, key)
        chaining = derived[0]
        hash = Self.digest(hash + derived[1])
        // e
        let own = Array(ephemeral.publicKey.rawRepresentation)
        hash = Self.digest(hash + own)
        let keys = Self.derive(chaining, own)
        chaining = keys[0]
        var cipher = NoiseCipher(key: SymmetricKey(data: keys[1]))
        let payload = try cipher.seal([], authenticating: hash)
        hash = Self.digest(hash + payload)
        message = own + payload
        (self.hash, self.chaining, self.cipher) = (hash, chaining, cipher)
    }

    /// Takes the proxy's answer.
    ///
    /// - Returns: the ciphers of both directions.
    /// - Throws: if the other side has another key.
    package mutating func finish(_ answer: [UInt8]) throws -> (sending: NoiseCipher, receiving: NoiseCipher) {
        guard answer.count >= 32 + NoiseCipher.tag else { throw CryptoKitError.incorrectParameterSize }
        // e, ee
        let other = Array(answer.prefix(32))
        hash = Self.digest(hash + other)
        chaining = Self.derive(chaining, other)[0]
        let secret = try ephemeral.sharedSecretFromKeyAgreement(
            with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: other))
        let keys = Self.derive(chaining, secret.withUnsafeBytes { Array($0) })
        chaining = keys[0]
        cipher = NoiseCipher(key: SymmetricKey(data: keys[1]))
        _ = try cipher.open(Array(answer.dropFirst(32)), authenticating: hash)
        let split = Self.derive(chaining, [])
        return (NoiseCipher(key: SymmetricKey(data: split[0])), NoiseCipher(key: SymmetricKey(data: split[1])))
    }

    private static func digest(_ octets: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: octets)) }

    /// HKDF with three outputs. Section 4.3.
    private static func derive(_ chaining: [UInt8], _ input: [UInt8]) -> [[UInt8]] {
        let key = SymmetricKey(data: authenticate(input, SymmetricKey(data: chaining)))
        let first = authenticate([1], key)
        let second = authenticate(first + [2], key)
        return [first, second, authenticate(second + [3], key)]
    }

    private static func authenticate(_ octets: [UInt8], _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: octets, using: key))
    }
}
