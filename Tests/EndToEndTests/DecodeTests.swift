import Testing
import TestSupport

/// `beaconctl decode`, as scripts use it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DecodeTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var payload: String
        var line: String

        var testDescription: String { name }
    }

    static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    static let frame = "4c000215e2c56db5dffb48d2b060d0f5a71096e0"

    static func found(_ major: Int, _ minor: Int, _ power: Int) -> String {
        #"{"uuid":"\#(uuid)","major":\#(major),"minor":\#(minor),"measured_power":\#(power)}"#
    }

    static let vectors: [Vector] = [
        Vector(name: "flags, then the frame", payload: "02011a1aff\(frame)01020304c5", line: found(258, 772, -59)),
        Vector(name: "no flags", payload: "1aff\(frame)00000000c5", line: found(0, 0, -59)),
        Vector(
            name: "a battery level behind the power", payload: "0201061bff\(frame)ffff800064a5",
            line: found(65535, 32768, 100)),
        Vector(name: "a power above zero", payload: "1aff\(frame)0001000168", line: found(1, 1, 104)),
        Vector(
            name: "another Apple structure first", payload: "06ff4c0010021a1aff\(frame)00010002c5",
            line: found(1, 2, -59)),
        Vector(
            name: "upper case, blanks, colons", payload: "1A:FF \(frame.uppercased()) 00:01 00:02 C5",
            line: found(1, 2, -59)),
        Vector(name: "a short frame", payload: "02011a19ff\(frame)00010002", line: "null"),
        Vector(name: "a structure past the end", payload: "02011a1aff\(frame)0001", line: "null"),
        Vector(name: "a wrong inner length", payload: "1aff4c000214\(frame.dropFirst(8))00010002c5", line: "null"),
        Vector(name: "another company", payload: "1aff4d000215\(frame.dropFirst(8))00010002c5", line: "null"),
        Vector(name: "the frame in the middle of other data", payload: "1cffe000\(frame)00010002c5", line: "null"),
        Vector(name: "behind the end of the data", payload: "0201060000\("1aff" + frame)00010002c5", line: "null"),
    ]

    @Test("a payload as an argument", arguments: vectors)
    func argument(_ vector: Vector) async throws {
        let end = try await RunningProgram.run(Programs.beaconctl, ["decode", vector.payload])
        #expect(end.lines == [vector.line])
        #expect(end.status == 0)
        #expect(end.errors.isEmpty)
    }

    @Test("payloads on standard input, one line each, in order; an empty line is an empty payload")
    func standardInput() async throws {
        let payloads = Self.vectors.map(\.payload) + [""]
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["decode"], input: .text(payloads.map { $0 + "\n" }.joined()))
        #expect(end.lines == Self.vectors.map(\.line) + ["null"])
        #expect(end.status == 0)
    }

    @Test("a standard input that cannot be read is a failure, and no empty one", arguments: ["</", "<&-"])
    func unreadable(input: String) async throws {
        let end = try await RunningProgram.run("/bin/sh", ["-c", "'\(Programs.beaconctl)' decode \(input)"])
        #expect(end.status == 1 && end.output.isEmpty)
        #expect(end.errors.contains("standard input: cannot be read: "), "\(end.errors)")
    }

    @Test("an HCI event whose reports are cut off has none, in words")
    func noReports() async throws {
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["decode", "--hci", "--format", "text", "043e2b0201030100000000000000"])
        #expect(end.lines == ["no advertising reports"])
    }

    @Test("--format text is for people")
    func text() async throws {
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["decode", "--format", "text", "1aff\(Self.frame)00010002c5", "020106", "x"])
        #expect(
            end.lines == [
                "\(Self.uuid.uppercased())/1/2  -59 dBm at 1 m", "no iBeacon",
                "error: \"x\" at position 1 is no hexadecimal digit",
            ])
        #expect(end.status == 1)
    }

    @Test("--hci gives no address where the advertiser is anonymous")
    func anonymous() async throws {
        let packet = "043e350d010000ff000000000000010001 7fc4 000000 000000000000 1b 1aff\(Self.frame)00010002c5"
        let end = try await RunningProgram.run(Programs.beaconctl, ["decode", "--hci", packet])
        #expect(
            end.lines == [
                #"[{"address":null,"event_type":0,"rssi":-60,"ibeacon":\#(Self.found(1, 2, -59))}]"#
            ])
        let text = try await RunningProgram.run(Programs.beaconctl, ["decode", "--hci", "--format", "text", packet])
        #expect(text.output.hasPrefix("anonymous           -60 dBm  "), "\(text.output)")
    }

    @Test("bad lines give an error each, the others are decoded, and the exit code is 1")
    func badLines() async throws {
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["decode"], input: .text("xyz\n1aff\(Self.frame)00010002c5\n020\n"))
        try #require(end.lines.count == 3)
        #expect(try keys(of: end.lines[0]) == ["error"])
        #expect(end.lines[1] == Self.found(1, 2, -59))
        #expect(try keys(of: end.lines[2]) == ["error"])
        #expect(end.status == 1)
    }

    struct Report: Decodable, Hashable {
        struct IBeacon: Decodable, Hashable {
            var uuid: String
            var major: Int
            var minor: Int
            var measuredPower: Int
        }

        var address: String
        var eventType: Int
        var rssi: Int?
        var ibeacon: IBeacon?
    }

    @Test("--hci: every report of an event, with null where a level or an iBeacon is not there")
    func events() async throws {
        // Legacy, two reports: an iBeacon without a level, then something else with -59 dBm.
        let first = "0301665544332211" + "1b" + "1aff\(Self.frame)000a000bc5" + "7f"
        let second = "0000ffeeddccbbaa" + "03" + "020106" + "c5"
        // Extended, one report of complete data on legacy PDUs: -60 dBm.
        let extended =
            "1300" + "01" + "060504030201" + "01" + "00" + "ff" + "7f" + "c4" + "0000" + "00" + "000000000000"
            + "1b" + "1aff\(Self.frame)000c000dc5"
        func event(_ subevent: String, _ count: Int, _ reports: String) -> String {
            let body = subevent + "0\(count)" + reports
            let length = String(body.count / 2, radix: 16)
            return "043e" + (length.count == 1 ? "0" : "") + length + body
        }
        let end = try await RunningProgram.run(
            Programs.beaconctl, ["decode", "--hci"],
            input: .text(
                [event("02", 2, first + second), event("0d", 1, extended), "040e0401030c00"]
                    .map { $0 + "\n" }.joined()))
        #expect(end.status == 0)
        let answers = try decodeLines(end.lines, as: [Report].self)
        let beacon = { Report.IBeacon(uuid: Self.uuid, major: $0, minor: $1, measuredPower: -59) }
        #expect(
            answers == [
                [
                    Report(address: "11:22:33:44:55:66", eventType: 3, rssi: nil, ibeacon: beacon(10, 11)),
                    Report(address: "aa:bb:cc:dd:ee:ff", eventType: 0, rssi: -59, ibeacon: nil),
                ],
                [Report(address: "01:02:03:04:05:06", eventType: 0x13, rssi: -60, ibeacon: beacon(12, 13))],
                [],
            ])
        #expect(end.lines[0].contains(#""rssi":null"#))
        #expect(end.lines[0].contains(#""ibeacon":null"#))
    }

    @Test("bytes that are no H4 event are an error")
    func notAnEvent() async throws {
        let end = try await RunningProgram.run(Programs.beaconctl, ["decode", "--hci", "02011a"])
        #expect(try keys(of: end.lines.first ?? "{}") == ["error"])
        #expect(end.status == 1)
    }
}
