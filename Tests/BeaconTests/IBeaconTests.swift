import Beacon
import TestSupport
import Testing

/// A payload, and the iBeacon that it holds or does not hold.
struct PayloadCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var payload: [UInt8]
    var expected: IBeacon?

    init(_ name: String, _ hex: String, _ expected: IBeacon? = nil) {
        testDescription = name
        payload = bytes(hex)
        self.expected = expected
    }
}

private let uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
private let uuidHex = "636F3F8F 6491 4BEE 95F7 D8CC64A863B5"

private func beacon(_ major: UInt16, _ minor: UInt16, _ power: Int8) -> IBeacon {
    IBeacon(id: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: power)
}

@Suite("iBeacon frames")
struct IBeaconTests {
    static let accepted = [
        PayloadCase(
            "Flags, then the frame", "02 01 1A 1A FF 4C 00 02 15 \(uuidHex) 0000 0000 C8", beacon(0, 0, -56)),
        PayloadCase("no Flags", "1A FF 4C 00 02 15 \(uuidHex) 0001 FFFF C5", beacon(1, 65535, -59)),
        PayloadCase(
            "major and minor are big-endian", "1A FF 4C 00 02 15 \(uuidHex) 0102 0304 C3", beacon(258, 772, -61)),
        PayloadCase(
            "a battery octet behind the power", "02 01 06 1B FF 4C 00 02 15 \(uuidHex) 0003 0004 FF 59",
            IBeacon(id: beacon(3, 4, -1).id, measuredPower: -1, battery: 0x59)),
        PayloadCase("positive measured power", "1A FF 4C 00 02 15 \(uuidHex) 001E 03F6 68", beacon(30, 1014, 104)),
        PayloadCase("measured power 0", "1A FF 4C 00 02 15 \(uuidHex) 0001 0002 00", beacon(1, 2, 0)),
        PayloadCase(
            "another vendor's structure before it",
            "02 01 06 05 FF FFFF DEAD 1A FF 4C 00 02 15 \(uuidHex) 0001 0002 C5", beacon(1, 2, -59)),
        PayloadCase(
            "another Apple structure before it",
            "02 01 1A 06 FF 4C 00 10 01 0B 1A FF 4C 00 02 15 \(uuidHex) 0001 0002 C5", beacon(1, 2, -59)),
        PayloadCase(
            "zero padding to 62 octets",
            "02 01 1A 1A FF 4C 00 02 15 \(uuidHex) 0001 0002 C5" + String(repeating: " 00", count: 32),
            beacon(1, 2, -59)),
        PayloadCase(
            "the first of two",
            "1A FF 4C 00 02 15 \(uuidHex) 0001 0001 C5 1A FF 4C 00 02 15 \(uuidHex) 0002 0002 C5", beacon(1, 1, -59)),
        PayloadCase(
            "an overlong structure behind it", "1A FF 4C 00 02 15 \(uuidHex) 0001 0002 C5 FF 09 41",
            beacon(1, 2, -59)),
    ]

    static let refused = [
        PayloadCase("empty", ""),
        PayloadCase("Flags only", "02 01 06"),
        PayloadCase("one octet short: no measured power", "19 FF 4C 00 02 15 \(uuidHex) 0001 0002"),
        PayloadCase("the structure runs past the end", "1A FF 4C 00 02 15 \(uuidHex) 0001 00"),
        PayloadCase("inner length 0x14", "1A FF 4C 00 02 14 \(uuidHex) 0001 0002 C5"),
        PayloadCase("inner type 0x03", "1A FF 4C 00 03 15 \(uuidHex) 0001 0002 C5"),
        PayloadCase("another company", "1A FF 15 00 02 15 \(uuidHex) 0001 0002 C5"),
        PayloadCase("company big-endian", "1A FF 00 4C 02 15 \(uuidHex) 0001 0002 C5"),
        PayloadCase("AltBeacon", "1B FF 18 01 BE AC \(uuidHex) 0001 0002 C5 00"),
        PayloadCase("service data of the same shape", "1A 16 4C 00 02 15 \(uuidHex) 0001 0002 C5"),
        PayloadCase("the marker inside other data", "1E FF 59 00 4C 00 02 15 \(uuidHex) 0001 0002 C5 00 00"),
        PayloadCase("behind the end of data", "02 01 06 00 1A FF 4C 00 02 15 \(uuidHex) 0001 0002 C5"),
    ]

    @Test("accepts what real beacons send", arguments: accepted)
    func accepts(_ example: PayloadCase) {
        #expect(IBeacon.first(in: example.payload.span.bytes) == example.expected)
    }

    @Test("refuses what only looks like an iBeacon", arguments: refused)
    func refuses(_ example: PayloadCase) {
        #expect(IBeacon.first(in: example.payload.span.bytes) == nil)
    }

    @Test("encodes the recipe's payload to the octet")
    func encodesRecipe() {
        #expect(
            beacon(0, 0, -56).advertisingData()
                == bytes("02 01 1A 1A FF 4C 00 02 15 63 6F 3F 8F 64 91 4B EE 95 F7 D8 CC 64 A8 63 B5 00 00 00 00 C8"))
    }

    @Test("encodes the battery behind the measured power, in a structure that is one octet longer")
    func encodesBattery() {
        let beacon = IBeacon(id: beacon(0x0102, 0x0304, -59).id, measuredPower: -59, battery: 100)
        let expected = bytes("02 01 06 1B FF 4C 00 02 15 \(uuidHex) 0102 0304 C5 64")
        #expect(beacon.advertisingData(flags: 0x06) == expected)
        #expect(beacon.advertisingData(flags: nil) == Array(expected.dropFirst(3)))
    }

    @Test("reads back what it encodes, for random beacons")
    func roundTrip() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let beacon = IBeacon(
                id: BeaconID(
                    uuid: ProximityUUID(.random(in: .min ... .max, using: &random)),
                    major: .random(in: .min ... .max, using: &random), minor: .random(in: .min ... .max, using: &random)
                ),
                measuredPower: .random(in: .min ... .max, using: &random))
            #expect(IBeacon.first(in: beacon.advertisingData().span.bytes) == beacon)
            #expect(IBeacon.first(in: beacon.advertisingData(flags: nil).span.bytes) == beacon)
        }
    }

    @Test("no payload traps, and what is found was really there")
    func fuzz() {
        var random = SeededGenerator(seed: 2)
        let good = beacon(1, 2, -59).advertisingData()
        var count = 0
        for _ in 0..<20_000 {
            var payload = good
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                payload[Int.random(in: 0..<payload.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            payload = Array(payload.prefix(.random(in: 0...payload.count, using: &random)))
            payload += random.octets(.random(in: 0...8, using: &random))
            guard let found = IBeacon.first(in: payload.span.bytes) else { continue }
            let frame = found.advertisingData(flags: nil).dropFirst(2)
            #expect(payload.indices.contains { payload[$0...].starts(with: frame) })
            count += 1
        }
        #expect(count > 100)
    }
}

@Suite("AD structures")
struct ADStructuresTests {
    private func walk(_ payload: [UInt8]) -> (types: [UInt8], isMalformed: Bool) {
        var structures = ADStructures()
        var types: [UInt8] = []
        while let structure = structures.next(in: payload.span.bytes) { types.append(structure.type.rawValue) }
        return (types, structures.isMalformed)
    }

    @Test("stand one after another")
    func order() {
        let (types, isMalformed) = walk(bytes("02 01 06 03 03 AA FE 01 09"))
        #expect(types == [0x01, 0x03, 0x09])
        #expect(!isMalformed)
    }

    @Test("end at a zero length, which is no fault")
    func zeroLength() {
        let (types, isMalformed) = walk(bytes("02 01 06 00 02 01 06"))
        #expect(types == [0x01])
        #expect(!isMalformed)
    }

    @Test("may be followed by a last octet of zero", arguments: ["00", "02 01 06 00"])
    func lastZero(_ hex: String) {
        #expect(!walk(bytes(hex)).isMalformed)
    }

    @Test(
        "that run past the end are told, after those before them",
        arguments: [
            ("02 01 06 05 09 41", [0x01]), ("FF", []), ("02 01", []),
            // A length of one is a type without a value: here even the type is missing.
            ("01", []), ("02 01 06 01", [0x01]),
        ] as [(String, [UInt8])])
    func overrun(_ hex: String, _ before: [UInt8]) {
        let (types, isMalformed) = walk(bytes(hex))
        #expect(types == before)
        #expect(isMalformed)
    }
}
