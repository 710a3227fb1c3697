/// Frames without encryption: a zero, the length and the type as variable-length numbers, and the message.
package struct PlainFraming: Sendable {
    /// The longest message in octets. Bluetooth proxies send much shorter ones.
    package static let longestMessage = 64 << 10

    private var received: [UInt8] = []
    /// The number of octets in `received` that were already read.
    private var start = 0

    package init() {}

    package static func octets(_ frame: ProxyFrame) -> [UInt8] {
        [0] + Varint.octets(UInt64(frame.payload.count)) + Varint.octets(frame.type) + frame.payload
    }

    package mutating func add(_ octets: [UInt8]) {
        received.removeFirst(start)
        start = 0
        received += octets
    }

    /// The next complete message; nil if more octets are needed.
    package mutating func next() throws(ProxyProblem) -> ProxyFrame? {
        guard start < received.count else { return nil }
        let first = received[start]
        guard first == 0 else {
            throw first == 1
                ? ProxyProblem("it wants encryption", "name the file with its key: --encryption-key-file")
                : ProxyProblem("what it sends is not ESPHome's native API", "is the port right? Proxies have 6053")
        }
        var position = start + 1
        guard let count = try number(&position), let type = try number(&position) else { return nil }
        guard count <= UInt64(Self.longestMessage), type <= UInt64(UInt16.max) else {
            throw ProxyProblem("it sends a message of \(count) octets, which no proxy does")
        }
        guard received.count - position >= Int(count) else { return nil }
        let end = position + Int(count)
        start = end
        return ProxyFrame(type: type, payload: Array(received[position..<end]))
    }

    /// Nil if more octets are needed.
    private func number(_ position: inout Int) throws(ProxyProblem) -> UInt64? {
        let begin = position
        if let value = Varint.read(received[...], at: &position) { return value }
        guard received.count - begin < Varint.longest else {
            throw ProxyProblem("what it sends is not ESPHome's native API", "is the port right? Proxies have 6053")
        }
        return nil
    }
}
