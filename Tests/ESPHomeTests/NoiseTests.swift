import ESPHome
import TestSupport
import Testing

/// The octets of noiseprotocol, a library by others, for the same keys.
@Suite struct NoiseTests {
    private let key = (0..<32).map { UInt8($0) }
    private let prologue = Array("NoiseAPIInit\0\0".utf8)
    private let secret = [UInt8](repeating: 1, count: 32)
    private let first = bytes(
        "a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209f0c00e96458473006479a4a6d2f4c0b6")
    private let answer = bytes(
        "ce8d3ad1ccb633ec7b70c17814a5c76ecd029685050d344745ba05870e587d596861a524ec5a0c60694277c72b6e7035")

    @Test("the handshake and the ciphers are those of others")
    func vectors() throws {
        var handshake = try NoiseHandshake(key: key, prologue: prologue, secret: secret)
        #expect(handshake.message == first)
        var (sending, receiving) = try handshake.finish(answer)
        #expect(try sending.seal(Array("first".utf8)) == bytes("6a8383937ce68ea911235c1053fc388224f45b2bf5"))
        #expect(try sending.seal(Array("second".utf8)) == bytes("7ee6adba138118d90aea3b8d97ded99e796cab2592b8"))
        #expect(try receiving.open(bytes("b91bf3b1f5b1bd131e466f087e7390a3228f5540bd6c")) == Array("answer".utf8))
    }

    @Test("another key, another beginning or a changed octet ends it")
    func refused() throws {
        var otherKey = try NoiseHandshake(key: key.reversed(), prologue: prologue, secret: secret)
        #expect(throws: (any Error).self) { try otherKey.finish(answer) }
        var otherBeginning = try NoiseHandshake(key: key, prologue: [], secret: secret)
        #expect(throws: (any Error).self) { try otherBeginning.finish(answer) }
        for index in answer.indices {
            var changed = answer
            changed[index] ^= 1
            var handshake = try NoiseHandshake(key: key, prologue: prologue, secret: secret)
            #expect(throws: (any Error).self) { try handshake.finish(changed) }
        }
        for count in 0..<answer.count {
            var handshake = try NoiseHandshake(key: key, prologue: prologue, secret: secret)
            #expect(throws: (any Error).self) { try handshake.finish(Array(answer.prefix(count))) }
        }
        // A point that makes every secret zero.
        var handshake = try NoiseHandshake(key: key, prologue: prologue, secret: secret)
        #expect(throws: (any Error).self) { try handshake.finish([UInt8](repeating: 0, count: 48)) }
    }

    @Test("each connection has a secret of its own")
    func secrets() throws {
        #expect(
            try NoiseHandshake(key: key, prologue: prologue).message
                != NoiseHandshake(key: key, prologue: prologue).message)
    }

    @Test("a key is 32 bytes in base64", arguments: [
            ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", true),
            (" AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= \n", true),
        ("", false), ("AAECAwQFBgcICQoLDA0ODw==", false), ("not base64 at all", false),
    ])
    func keys(text: String, isKey: Bool) {
        #expect((ProxyKey(text) != nil) == isKey)
    }
}
