import BlueZ
import Bus
import Testing

/// D-Bus values go through libdbus's own marshalling and come back as they were.
@Suite struct BusValueTests {
    static let values: [BusValue] = [
        .byte(0xFF), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.5), .string(""), .string("Grüße 🛰"), .path("/"),
        .path("/org/bluez/hci0"), .signature(""), .signature("a{sv}"), .bytes([]), .bytes([0, 1, 255]),
        .array([], of: "s"), .array([.string("a"), .string("b")], of: "s"), .array([], of: "(yyay)"),
        .array([.bytes([1]), .bytes([])], of: "ay"), .array([.array([.uint16(1)], of: "q")], of: "aq"),
        .dictionary([:], of: "sv"), .dictionary([.uint16(0x4C): .variant(.bytes([2, 0x15]))], of: "qv"),
        .dictionary([.path("/a"): .dictionary([.string("i"): .properties(["P": .boolean(true)])], of: "sa{sv}")],
            of: "oa{sa{sv}}"),
        .structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0, 2, 0x15])]),
        .structure([.structure([.int32(1)]), .variant(.variant(.string("deep")))]),
        .variant(.array([], of: "a{sv}")), AdvertisementMonitor.properties,
    ]

    private func roundTrip(_ body: [BusValue]) throws -> BusMessage {
        try BusMessage(
            marshalled: BusMessage.signal("/", "org.beacond.Test", "Values", body, to: "org.beacond.Test").marshalled())
    }

    @Test("each value comes back as it was sent", arguments: values)
    func comesBack(_ value: BusValue) throws {
        #expect(try roundTrip([value]).body == [value])
    }

    @Test("all kinds of values fit into one message")
    func allAtOnce() throws {
        #expect(try roundTrip(Self.values).body == Self.values)
    }

    @Test("the header comes back as it was sent")
    func headerComesBack() throws {
        var call = BusMessage.call("org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery")
        call.sender = ":1.7"
        call.wantsNoReply = true
        let received = try BusMessage(marshalled: call.marshalled(serial: 42))
        call.serial = 42
        #expect(received == call)

        let failure = received.failure(BusError(.accessDenied, "no"))
        let answer = try BusMessage(marshalled: failure.marshalled(serial: 1))
        #expect(answer.failure == BusError(.accessDenied, "no"))
        #expect(answer.replySerial == 42)
        #expect(answer.destination == ":1.7")
    }

    /// What libdbus would end the process for is refused before.
    @Test("values that D-Bus does not allow are refused", arguments: [
        BusValue.string("a\0b"), .path("no/slash"), .path("/ends/"), .path(""), .path("/a\0"), .signature("a"),
        .signature("{sv}"), .array([.string("s"), .uint16(1)], of: "s"), .array([], of: "ss"), .array([], of: ""),
        .array([.byte(1)], of: "s"), .dictionary([:], of: "vs"), .dictionary([:], of: "s"),
        .dictionary([.string("a"): .string("b")], of: "sv"), .dictionary([:], of: "sv}a{sv"), .structure([]),
        .variant(.structure([])), .variant(.other(104)), .other(104), .other(0),
    ])
    func refused(_ value: BusValue) {
        #expect(throws: BusError.self) { try roundTrip([value]) }
    }

    @Test("names that D-Bus does not allow are refused")
    func refusedNames() {
        let messages: [BusMessage] = [
            .call("no bus", "/", "a.b", "M"), .call("a.b", "x", "a.b", "M"), .call("a.b", "/", "ab", "M"),
            .call("a.b", "/", "a.b", "M-N"), .call("a.b", "/", "a.b", ""), .call("a.b", "/", "a.b", "M\0"),
            .signal("/", "", "M"), BusMessage.call("a.b", "/", "a.b", "M").answer(),
            BusMessage.call("a.b", "/", "a.b", "M").failure(BusError(BusError.Name(rawValue: "x"))),
        ]
        for message in messages {
            #expect(throws: BusError.self) { try message.marshalled() }
        }
    }

    @Test("what is nested too deep is not sent")
    func tooDeepToSend() {
        var value = BusValue.byte(1)
        for _ in 0..<40 { value = .variant(value) }
        #expect(throws: BusError.self) { try roundTrip([value]) }
    }

    /// Others may send deeper ones: the message is known, its body is left out.
    @Test("the body of what is nested too deep to read is left out")
    func tooDeepToRead() throws {
        // A little-endian signal with 60 variants inside each other, each of signature "v", and a byte in the last.
        var bytes = try BusMessage.signal("/", "a.b", "M", [.variant(.byte(7))]).marshalled()
        let body = (0..<59).flatMap { _ in Array("\u{1}v\0".utf8) } + Array("\u{1}y\0\u{7}".utf8)
        bytes.removeLast(4)
        bytes += body
        bytes[4] = UInt8(body.count)
        let message = try BusMessage(marshalled: bytes)
        #expect(message.isExcessive)
        #expect(message.body.isEmpty)
        #expect(message.member == "M")
        #expect(message.failure?.name == .excessive)
    }

    @Test("values are read by their types")
    func reading() {
        let properties: BusValue = .properties([
            "RSSI": .int16(-60), "Address": .string("x"), "Data": .dictionary([:], of: "qv"), "Huge": .uint64(.max),
        ])
        #expect(properties["RSSI"]?.integer == -60)
        #expect(properties["Address"]?.text == "x")
        #expect(properties["Data"]?.entries?.isEmpty == true)
        #expect(properties["Huge"]?.integer == nil)
        #expect(properties["None"] == nil)
        #expect(BusValue.byte(1)["RSSI"] == nil)
        #expect(BusValue.variant(.variant(.path("/a"))).text == "/a")
    }
}
