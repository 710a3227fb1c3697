import BlueZ
import Bus
import Testing
import TestSupport

/// Whatever arrives on the bus, nothing traps: mutated messages are refused by libdbus, or read, or counted, and a
/// session goes on.
@Suite(.timeLimit(.minutes(20)))
struct BusFuzzTests {
    private static func seeds() throws -> [[UInt8]] {
        let objects = Announced.objects([
            Announced.adapterPath: Announced.adapter(), Announced.path: Announced.deviceInterfaces(rssi: -60),
        ])
        var answer = BusMessage.call("org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        answer.serial = 3
        return try [
            Announced.added(Announced.path, Announced.deviceInterfaces(rssi: -60)),
            Announced.changed(Announced.path, ["RSSI": .int16(-61), "ManufacturerData": Announced.data()]),
            Announced.removed(Announced.path, "org.bluez.Device1"), Announced.owner("", ":1.1"),
            Announced.monitorCall("DeviceFound", [.path(Announced.path)]), answer.answer([objects]),
            answer.failure(BusError(.accessDenied, "no")),
            .signal("/", "a.b", "M", BusValueTests.values),
        ].map { try $0.marshalled() }
    }

    @Test("mutated messages are refused, or read and sent again, and a session goes on", arguments: 1...4)
    func mutated(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let seeds = try Self.seeds()
        var script = SessionScript.listening()
        var (readable, compared) = (0, 0)
        for round in 0..<60_000 {
            // Other tests have limits of time.
            if round.isMultiple(of: 500) { await Task.yield() }
            var bytes = try #require(seeds.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[place] = .random(in: .min ... .max, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes[place] &+= 1
                case 3: bytes.replaceSubrange(place..., with: random.octets(bytes.count - place))
                case 4: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
                default: bytes[place] = [0, 1, 4, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                }
                if bytes.isEmpty { break }
            }
            guard var message = try? BusMessage(marshalled: bytes) else { continue }
            readable += 1
            if try checkAgain(message) { compared += 1 }
            if Bool.random(using: &random) { message.sender = Announced.daemon }
            script.feed(message)
            _ = script.take()
            // What a mutation can end (the name's owner) begins anew.
            if readable.isMultiple(of: 50) { script = SessionScript.listening() }
        }
        #expect(readable > 1000)
        #expect(compared > 1000)
    }

    /// What was read can be sent again, unless it holds what is not sent, and is the same then.
    ///
    /// - Returns: whether it was sent.
    private func checkAgain(_ message: BusMessage) throws -> Bool {
        guard let bytes = try? message.marshalled(serial: message.serial) else { return false }
        let again = try BusMessage(marshalled: bytes)
        // Not by ==: NaN is not equal to itself. Dictionaries have no order.
        #expect(again.body.map(\.typeSignature) == message.body.map(\.typeSignature))
        #expect(again.member == message.member)
        return true
    }

    /// Random values of random types come back as they were.
    @Test("random values come back as they were sent")
    func randomValues() async throws {
        var random = SeededGenerator(seed: 9)
        for round in 0..<20_000 {
            if round.isMultiple(of: 500) { await Task.yield() }
            let type = Self.type(depth: 0, &random)
            let value = Self.value(of: type, &random)
            let bytes = try BusMessage.signal("/", "a.b", "M", [value]).marshalled()
            #expect(try BusMessage(marshalled: bytes).body == [value])
        }
    }

    private indirect enum Shape {
        case basic(Character)
        case array(Shape)
        case dictionary(Character, Shape)
        case structure([Shape])
        case variant

        var signature: String {
            switch self {
            case .basic(let code): String(code)
            case .array(let element): "a" + element.signature
            case .dictionary(let key, let value): "a{\(key)\(value.signature)}"
            case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
            case .variant: "v"
            }
        }
    }

    private static func type(depth: Int, _ random: inout SeededGenerator) -> Shape {
        let basic: Character = "ybnqiuxtsog".randomElement(using: &random) ?? "y"
        switch depth > 4 ? 0 : Int.random(in: 0..<8, using: &random) {
        case 0...3: return .basic(basic)
        case 4: return .array(type(depth: depth + 1, &random))
        case 5: return .dictionary(basic, type(depth: depth + 1, &random))
        case 6:
            let count = Int.random(in: 1...3, using: &random)
            return .structure((0..<count).map { _ in type(depth: depth + 1, &random) })
        default: return .variant
        }
    }

    private static func value(of type: Shape, depth: Int = 0, _ random: inout SeededGenerator) -> BusValue {
        let count = depth > 5 ? 0 : Int.random(in: 0...3, using: &random)
        switch type {
        case .basic(let code):
            return basic(code, &random)
        case .array(.basic("y")):
            return .bytes(random.octets(count))
        case .array(let element):
            return .array((0..<count).map { _ in value(of: element, depth: depth + 1, &random) }, of: element.signature)
        case .dictionary(let key, let content):
            let entries = (0..<count).map { _ in
                (basic(key, &random), value(of: content, depth: depth + 1, &random))
            }
            return .dictionary(
                Dictionary(entries) { $1 }, of: String(key) + content.signature)
        case .structure(let fields):
            return .structure(fields.map { value(of: $0, depth: depth + 1, &random) })
        case .variant:
            let content = depth > 5 ? Shape.basic("s") : Self.type(depth: 3, &random)
            return .variant(value(of: content, depth: depth + 1, &random))
        }
    }

    private static func basic(_ code: Character, _ random: inout SeededGenerator) -> BusValue {
        let number = random.next()
        return switch code {
        case "b": .boolean(number & 1 == 1)
        case "n": .int16(Int16(truncatingIfNeeded: number))
        case "q": .uint16(UInt16(truncatingIfNeeded: number))
        case "i": .int32(Int32(truncatingIfNeeded: number))
        case "u": .uint32(UInt32(truncatingIfNeeded: number))
        case "x": .int64(Int64(truncatingIfNeeded: number))
        case "t": .uint64(number)
        case "s": .string(String(number % 1000, radix: 36) + (number & 1 == 1 ? "ä" : ""))
        case "o": .path("/a\(number % 100)")
        case "g": .signature(number & 1 == 1 ? "a{sv}" : "")
        default: .byte(UInt8(truncatingIfNeeded: number))
        }
    }
}
