/// Packets and payloads to put into captures.
enum Sample {
    /// Flags and an iBeacon: 636f3f8f-6491-4bee-95f7-d8cc64a863b5, major 1, minor 2, measured power -56.
    static let advertising = [UInt8](hex: "02011a 1aff4c000215 636f3f8f64914bee95f7d8cc64a863b5 0001 0002 c8")

    /// An LE Advertising Report: ADV_NONCONN_IND from 66:55:44:33:22:11, random, -61 dBm.
    static let event =
        [0x3E, 0x2A, 0x02, 0x01, 0x03, 0x01] + [UInt8](hex: "112233445566") + [0x1E] + advertising + [0xC3]

    /// LE Set Scan Enable.
    static let command = [UInt8](hex: "0c200201 00")
}

/// Frames as they are on the air: access address, PDU, CRC.
enum Frame {
    static let address = [UInt8](hex: "112233445566")

    static func make(
        type: UInt8, isRandom: Bool = true, payload: [UInt8], accessAddress: UInt32 = 0x8E89_BED6,
        codingIndicator: UInt8? = nil, damage: UInt8 = 0
    ) -> [UInt8] {
        var frame: [UInt8] = []
        frame.little(accessAddress)
        if let codingIndicator { frame.append(codingIndicator) }
        let pdu = [type | (isRandom ? 0x40 : 0), UInt8(payload.count)] + payload
        var sent = checksum(pdu)
        sent[0] ^= damage
        return frame + pdu + sent
    }

    static func legacy(_ type: UInt8, isRandom: Bool = true) -> [UInt8] {
        make(type: type, isRandom: isRandom, payload: address + Sample.advertising)
    }

    /// A PDU of the extended kinds: AdvMode, flags and fields of the header, data.
    static func extended(
        mode: UInt8, flags: UInt8, fields: [UInt8], data: [UInt8] = Sample.advertising, codingIndicator: UInt8? = nil
    ) -> [UInt8] {
        let header = [flags] + fields
        return make(
            type: 7, payload: [UInt8(header.count) | mode << 6] + header + data, codingIndicator: codingIndicator)
    }

    /// Bit by bit, as Core Specification Vol 6, Part B, 3.1.1 draws it: position 0 is the register's lowest bit,
    /// octets enter with their lowest bit first, and position 23 is sent first.
    static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var register: UInt32 = 0x555555
        for octet in bytes {
            for bit in 0..<8 {
                let feedback = register >> 23 & 1 ^ UInt32(octet >> UInt8(bit) & 1)
                register = register << 1 & 0xFF_FFFF
                if feedback == 1 { register ^= 0x00065B }
            }
        }
        var sent: [UInt8] = [0, 0, 0]
        for index in 0..<24 where register >> UInt32(23 - index) & 1 == 1 {
            sent[index / 8] |= 1 << UInt8(index % 8)
        }
        return sent
    }
}
