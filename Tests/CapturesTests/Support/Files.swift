/// Capture files, built field by field from the formats' specifications.
struct BuiltFile {
    var bytes: [UInt8]
    /// Where the head ends, and after it every record.
    var ends: [Int]

    mutating func add(_ record: [UInt8]) {
        bytes += record
        ends.append(bytes.count)
    }
}

enum Btsnoop {
    /// 2026-01-01 00:00:00 UTC in btsnoop's microseconds: the year 0, then 1970, then 1,767,225,600 s.
    static let newYear: UInt64 = 0x00DC_DDB3_0F2F_8000 + 1_767_225_600_000_000

    static func head(datalink: UInt32, version: UInt32 = 1) -> BuiltFile {
        var bytes = Array("btsnoop\0".utf8)
        bytes.big(version)
        bytes.big(datalink)
        return BuiltFile(bytes: bytes, ends: [bytes.count])
    }

    static func record(_ packet: [UInt8], flags: UInt32, time: UInt64 = newYear) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.big(UInt32(packet.count))
        bytes.big(UInt32(packet.count))
        bytes.big(flags)
        bytes.big(UInt32(0))
        bytes.big(time)
        return bytes + packet
    }

    static func sample() -> BuiltFile {
        var file = head(datalink: 1002)
        file.add(record([1] + Sample.command, flags: 2))
        file.add(record([4] + Sample.event, flags: 3, time: newYear + 1))
        file.add(record([4] + Sample.event, flags: 3, time: newYear + 2_500_000))
        return file
    }
}

enum Pcap {
    static func head(linkType: UInt32, isBig: Bool = false, magic: UInt32 = 0xA1B2_C3D4) -> BuiltFile {
        var bytes: [UInt8] = []
        bytes.number(magic, isBig: isBig)
        bytes.number(UInt16(2), isBig: isBig)
        bytes.number(UInt16(4), isBig: isBig)
        bytes.number(UInt64(0), isBig: isBig)
        bytes.number(UInt32(65_535), isBig: isBig)
        bytes.number(linkType, isBig: isBig)
        return BuiltFile(bytes: bytes, ends: [bytes.count])
    }

    static func record(
        _ packet: [UInt8], seconds: UInt32 = 1_767_225_600, fraction: UInt32 = 250, isBig: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in [seconds, fraction, UInt32(packet.count), UInt32(packet.count)] {
            bytes.number(value, isBig: isBig)
        }
        return bytes + packet
    }

    static func file(linkType: UInt32, _ packets: [[UInt8]]) -> BuiltFile {
        packets.reduce(into: head(linkType: linkType)) { $0.add(record($1)) }
    }

    static func sample() -> BuiltFile {
        file(linkType: 251, [Frame.legacy(2), Frame.make(type: 3, payload: Frame.address), Frame.legacy(0)])
    }
}

enum Pcapng {
    static func block(_ type: UInt32, _ body: [UInt8], isBig: Bool = false) -> [UInt8] {
        let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        var bytes: [UInt8] = []
        bytes.number(type, isBig: isBig)
        bytes.number(UInt32(padded.count + 12), isBig: isBig)
        bytes += padded
        bytes.number(UInt32(padded.count + 12), isBig: isBig)
        return bytes
    }

    static func section(isBig: Bool = false) -> [UInt8] {
        var body: [UInt8] = []
        body.number(UInt32(0x1A2B_3C4D), isBig: isBig)
        body.number(UInt16(1), isBig: isBig)
        body.number(UInt16(0), isBig: isBig)
        body.number(UInt64.max, isBig: isBig)
        return block(0x0A0D_0D0A, body, isBig: isBig)
    }

    static func interface(
        linkType: UInt16, snapLength: UInt32 = 0, options: [(UInt16, [UInt8])] = [], isBig: Bool = false
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.number(linkType, isBig: isBig)
        body.number(UInt16(0), isBig: isBig)
        body.number(snapLength, isBig: isBig)
        for (code, value) in options {
            body.number(code, isBig: isBig)
            body.number(UInt16(value.count), isBig: isBig)
            body += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        }
        if !options.isEmpty { body.number(UInt32(0), isBig: isBig) }
        return block(1, body, isBig: isBig)
    }

    static func enhanced(
        _ packet: [UInt8], interface: UInt32 = 0, units: UInt64 = 1_767_225_600_000_250, isBig: Bool = false
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.number(interface, isBig: isBig)
        body.number(UInt32(units >> 32), isBig: isBig)
        body.number(UInt32(truncatingIfNeeded: units), isBig: isBig)
        body.number(UInt32(packet.count), isBig: isBig)
        body.number(UInt32(packet.count), isBig: isBig)
        return block(6, body + packet, isBig: isBig)
    }

    static func simple(_ packet: [UInt8], originalLength: Int? = nil) -> [UInt8] {
        var body: [UInt8] = []
        body.little(UInt32(originalLength ?? packet.count))
        return block(3, body + packet)
    }

    static func sample() -> BuiltFile {
        let head = section() + interface(linkType: 187)
        var file = BuiltFile(bytes: head, ends: [head.count])
        file.add(enhanced([4] + Sample.event))
        file.add(simple([1] + Sample.command))
        file.add(enhanced([4] + Sample.event, units: 1_767_225_601_000_000))
        return file
    }
}

enum Text {
    /// As `hcidump --raw` writes it: an arrow, then twenty octets a line, a blank behind each.
    static func hcidump(_ packet: [UInt8], arrow: String = ">", stamp: String = "") -> String {
        var text = ""
        for start in stride(from: 0, to: packet.count, by: 20) {
            text += start == 0 ? "\(stamp)\(arrow) " : "  "
            for octet in packet[start..<min(start + 20, packet.count)] {
                text += (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true) + " "
            }
            text += "\n"
        }
        return text
    }

    static func hcidumpSample() -> BuiltFile {
        var file = BuiltFile(bytes: [], ends: [0])
        for packet in [[4] + Sample.event, [1] + Sample.command, [4] + Sample.event] {
            file.add(Array(hcidump(packet, arrow: packet[0] == 1 ? "<" : ">").utf8))
        }
        return file
    }

    static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

    static func observationSample() -> BuiltFile {
        let header = Array("time,scanner,uuid,major,minor,measured_power,rssi\n".utf8)
        var file = BuiltFile(bytes: header, ends: [header.count])
        file.add(Array("1767225600.25,hall,\(uuid),1,2,-59,-70\n".utf8))
        file.add(Array("2026-01-01T00:00:01Z,\"hall, \"\"east\"\"\",\(uuid),1,3,-59,\n".utf8))
        file.add(Array(",hall,\(uuid),65535,0,+4,-71\n".utf8))
        return file
    }
}
