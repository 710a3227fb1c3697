/// Frames with encryption: a one, the length in two octets, and the payload. First a hello and the handshake go in
/// both directions, then encrypted messages: type and length in two octets each, and the message.
struct NoiseFraming: Sendable {
    private enum State {
        case hello(NoiseHandshake)
        case handshake(NoiseHandshake)
        case ready(sending: NoiseCipher, receiving: NoiseCipher)
    }

    /// The proxy's name, which it sends before the encryption begins.
    private(set) var name: String?
    private var state: State
    private var received: [UInt8] = []
    /// The number of octets in `received` that were already read.
    private var start = 0
    private static let hello: [UInt8] = [1, 0, 0]
    private static let longestName = 120

    /// The octets that are sent first.
    let opening: [UInt8]

    /// - Throws: `ProxyProblem` if encryption cannot be used.
    init(key: ProxyKey) throws(ProxyProblem) {
        do {
            let handshake = try NoiseHandshake(key: key.octets, prologue: Array("NoiseAPIInit\0\0".utf8))
            opening = Self.hello + Self.frame([0] + handshake.message)
            state = .hello(handshake)
        } catch {
            throw ProxyProblem("encryption cannot be used: \(error)")
        }
    }

    private static func frame(_ octets: [UInt8]) -> [UInt8] {
        [1, UInt8(truncatingIfNeeded: octets.count >> 8), UInt8(truncatingIfNeeded: octets.count)] + octets
    }

    var isReady: Bool {
        if case .ready = state { true } else { false }
    }

    mutating func octets(_ frame: ProxyFrame) throws(ProxyProblem) -> [UInt8] {
        guard case .ready(var sending, let receiving) = state else { return [] }
        let header = [frame.type >> 8, frame.type, UInt64(frame.payload.count) >> 8, UInt64(frame.payload.count)]
        do {
            let sealed = try sending.seal(header.map { UInt8(truncatingIfNeeded: $0) } + frame.payload)
            state = .ready(sending: sending, receiving: receiving)
            return Self.frame(sealed)
        } catch {
            throw ProxyProblem("encryption cannot be used: \(error)")
        }
    }

    mutating func add(_ octets: [UInt8]) {
        received.removeFirst(start)
        start = 0
        received += octets
    }

    /// The next complete message; nil if more octets are needed.
    mutating func next() throws(ProxyProblem) -> ProxyFrame? {
        while let frame = try nextFrame() {
            switch state {
            case .hello(let handshake):
                try takeHello(frame)
                state = .handshake(handshake)
            case .handshake(var handshake): state = try Self.finish(&handshake, frame)
            case .ready(let sending, var receiving):
                guard let octets = try? receiving.open(frame), octets.count >= 4 else {
                    throw ProxyProblem("what it sends cannot be decrypted")
                }
                state = .ready(sending: sending, receiving: receiving)
                // The frame has a length too, so the length in the message is ignored.
                return ProxyFrame(type: UInt64(octets[0]) << 8 | UInt64(octets[1]), payload: Array(octets.dropFirst(4)))
            }
        }
        return nil
    }

    private mutating func nextFrame() throws(ProxyProblem) -> [UInt8]? {
        guard start < received.count else { return nil }
        let first = received[start]
        guard first == 1 else {
            throw first == 0
                ? ProxyProblem("it does not encrypt", "set a key in its api:, or leave its key away here")
                : ProxyProblem("what it sends is not ESPHome's native API", "is the port right? Proxies have 6053")
        }
        guard received.count >= start + 3 else { return nil }
        let end = start + 3 + Int(received[start + 1]) << 8 + Int(received[start + 2])
        guard received.count >= end else { return nil }
        defer { start = end }
        return Array(received[start + 3..<end])
    }

    /// Reads the chosen protocol and the name, which ends with a zero.
    private mutating func takeHello(_ frame: [UInt8]) throws(ProxyProblem) {
        guard frame.first == 1 else { throw ProxyProblem("it wants another encryption than Noise_NNpsk0") }
        name = String(decoding: frame.dropFirst().prefix { $0 != 0 }.prefix(Self.longestName), as: UTF8.self)
    }

    private static func finish(_ handshake: inout NoiseHandshake, _ frame: [UInt8]) throws(ProxyProblem) -> State {
        guard frame.first == 0 else {
            let reason = String(decoding: frame.dropFirst().prefix(longestName), as: UTF8.self)
            throw reason == "Handshake MAC failure" ? wrongKey : ProxyProblem("it refuses the handshake: \(reason)")
        }
        guard let ciphers = try? handshake.finish(Array(frame.dropFirst())) else { throw wrongKey }
        return .ready(sending: ciphers.sending, receiving: ciphers.receiving)
    }

    private static let wrongKey = ProxyProblem(
        "it has another encryption key",
        "copy api: encryption: key: of its configuration into the file of --encryption-key-file")
}
