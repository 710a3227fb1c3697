import Beacon
import HCI
import TestSupport
import Testing

@Suite("The battery that a scan response tells")
struct BatteryTests {
    private static let frame = "1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5"
    private static let address = "C4 65 2B 23 7F E9"
    private static let level = "04 16 0F 18 4B"

    /// What the decoder says of the battery, packet by packet with an iBeacon in it.
    private func batteries(_ packets: [String]) -> [UInt8?] {
        var decoder = SightingDecoder()
        var found: [UInt8?] = []
        for packet in packets {
            decoder.decode(packet: bytes(packet).span.bytes, at: nil) { found.append($0.beacon.battery) }
        }
        return found
    }

    private static func legacy(_ type: String, _ data: String, of address: String = address) -> String {
        let count = bytes(data).count
        return "04 3E \(hex(count + 12)) 02 01 \(type) 01 \(address) \(hex(count)) \(data) B3"
    }

    private static func extended(_ type: String, _ data: String) -> String {
        let count = bytes(data).count
        return "04 3E \(hex(count + 26)) 0D 01 \(type) 00 01 \(address) 01 00 01 7F C4 00 00 00 00 00 00 00 00 00 "
            + "\(hex(count)) \(data)"
    }

    private static func hex(_ number: Int) -> String { "\(number < 16 ? "0" : "")\(String(number, radix: 16))" }

    @Test("belongs to the advertisements of the same address from then on", arguments: [
        (legacy("02", frame), legacy("04", level)), (extended("12", frame), extended("1A", level)),
        (legacy("00", frame), extended("1B", "02 0A 00 \(level)")),
    ])
    func later(advertisement: String, response: String) {
        #expect(batteries([advertisement, response, advertisement]) == [nil, 75])
        #expect(batteries([response, advertisement]) == [75])
        let other = Self.legacy("02", Self.frame, of: "C4 65 2B 23 7F EA")
        #expect(batteries([response, other]) == [nil])
    }

    @Test("counts less than the octet of the frame itself")
    func frameCounts() {
        let withOctet = "1B" + Self.frame.dropFirst(2) + " 59"
        #expect(batteries([Self.legacy("04", Self.level), Self.legacy("02", withOctet)]) == [0x59])
    }

    @Test("is none where it is too short, no percentage, of another service, or no scan response", arguments: [
        legacy("04", "03 16 0F 18"), legacy("04", "04 16 0F 18 65"), legacy("04", "04 16 0A 18 4B"),
        legacy("04", "04 21 0F 18 4B"), legacy("00", level), extended("12", level), legacy("04", ""),
        legacy("04", "04 16 0F 18"), legacy("04", "FF 16 0F 18 4B"), extended("13", level),
    ])
    func none(response: String) {
        #expect(batteries([response, Self.legacy("02", Self.frame)]) == [nil])
    }

    @Test("is a percentage up to 100", arguments: [("00", 0), ("64", 100)] as [(String, UInt8)])
    func percentages(octet: String, level: UInt8) {
        let response = Self.legacy("04", "04 16 0F 18 \(octet)")
        #expect(batteries([response, Self.legacy("02", Self.frame)]) == [level])
    }

    @Test("is remembered of 1024 senders; with one more, all others are forgotten")
    func most() {
        var batteries = ReportedBatteries()
        for number in 0..<1024 { batteries.note(50, of: DeviceAddress(UInt64(number))) }
        batteries.note(51, of: DeviceAddress(7))
        #expect((0..<1024).count { batteries[DeviceAddress(UInt64($0))] != nil } == 1024)
        batteries.note(52, of: DeviceAddress(1024))
        #expect((0...1024).filter { batteries[DeviceAddress(UInt64($0))] != nil } == [1024])
    }

    @Test("is remembered of few senders: a flood of them fills no memory")
    func flood() {
        var batteries = ReportedBatteries()
        for number in 0..<5 * ReportedBatteries.most {
            batteries.note(UInt8(number % 101), of: DeviceAddress(UInt64(number)))
            #expect(batteries[DeviceAddress(UInt64(number))] == UInt8(number % 101))
        }
        let count = (0..<5 * ReportedBatteries.most).count { batteries[DeviceAddress(UInt64($0))] != nil }
        #expect((1...ReportedBatteries.most).contains(count))
    }
}
