import Beacon
import TestSupport
import Testing

@Suite("UUIDs")
struct ProximityUUIDTests {
    @Test(
        "are read in any case, with and without dashes",
        arguments: [
            "636F3F8F-6491-4BEE-95F7-D8CC64A863B5", "636f3f8f-6491-4bee-95f7-d8cc64a863b5",
            "636F3F8F64914BEE95F7D8CC64A863B5",
        ])
    func reads(_ text: String) {
        #expect(ProximityUUID(text)?.value == 0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
    }

    @Test(
        "are refused when anything is missing, too much or elsewhere",
        arguments: [
            "", "636F3F8F-6491-4BEE-95F7-D8CC64A863B", "636F3F8F-6491-4BEE-95F7-D8CC64A863B55",
            "636F3F8F-64914BEE-95F7-D8CC64A863B5", "636F3F8F64914BEE95F7D8CC64A863BG",
            "-636F3F8F64914BEE95F7D8CC64A863B5", "636F3F8-F6491-4BEE-95F7-D8CC64A863B5",
            // Each dash one place too late, and two where one is.
            "636F3F8F6-491-4BEE-95F7-D8CC64A863B5", "636F3F8F-64914-BEE-95F7-D8CC64A863B5",
            "636F3F8F-6491-4BEE9-5F7-D8CC64A863B5", "636F3F8F-6491-4BEE-95F7D-8CC64A863B5",
            "636F3F8F--6491-4BEE-95F7-D8CC64A863B5",
        ])
    func refuses(_ text: String) {
        #expect(ProximityUUID(text) == nil)
    }

    @Test("print lower case for machines and upper case for people")
    func prints() {
        let uuid = ProximityUUID(0x0000_00AB_0000_0000_0000_0000_0000_00CD)
        #expect(uuid.description == "000000ab-0000-0000-0000-0000000000cd")
        #expect(uuid.uppercased == "000000AB-0000-0000-0000-0000000000CD")
    }

    @Test("are in the order in which they are printed")
    func order() {
        let uuids = [
            0, 1, 0xFFFF_FFFF_FFFF_FFFF, 0x1_0000_0000_0000_0000, 0x1_0000_0000_0000_0001, 0x2_0000_0000_0000_0000,
            .max,
        ].map { ProximityUUID($0) }
        for (place, uuid) in uuids.enumerated() {
            for (other, otherUUID) in uuids.enumerated() { #expect((uuid < otherUUID) == (place < other)) }
        }
    }

    @Test(
        "have four words of 32 bits, the first on the air first",
        arguments: [(0, 0x636F_3F8F), (1, 0x6491_4BEE), (2, 0x95F7_D8CC), (3, 0x64A8_63B5)] as [(Int, UInt32)])
    func words(_ index: Int, _ word: UInt32) {
        #expect(ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5).word(index) == word)
    }
}

@Suite("Identities of beacons")
struct BeaconIDTests {
    private static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

    @Test("are read and printed as UUID, major and minor")
    func text() throws {
        let id = try #require(BeaconID("\(Self.uuid.uppercased())/258/65535"))
        #expect(id.uuid.description == Self.uuid)
        #expect(id.major == 258)
        #expect(id.minor == 65535)
        #expect(id.description == "\(Self.uuid)/258/65535")
    }

    @Test(
        "are refused if a part is missing, too much or too large",
        arguments: [
            "", uuid, "\(uuid)/1", "\(uuid)/1/2/3", "\(uuid)/1/2/", "/\(uuid)/1/2", "\(uuid)//1/2", "1/2",
            "1/2/\(uuid)", "\(uuid)/65536/2", "\(uuid)/1/65536", "\(uuid)/-1/2", "\(uuid)/1/x",
        ])
    func refuses(_ text: String) {
        #expect(BeaconID(text) == nil)
    }

    @Test("are in the order of UUID, then major, then minor")
    func order() throws {
        let ids = [(1, 0, 9), (1, 0, 10), (1, 1, 0), (1, 65535, 65535), (2, 0, 0)].map {
            BeaconID(uuid: ProximityUUID($0), major: $1, minor: $2)
        }
        for (place, id) in ids.enumerated() {
            for (other, otherID) in ids.enumerated() { #expect((id < otherID) == (place < other)) }
        }
    }
}

@Suite("Device addresses")
struct DeviceAddressTests {
    @Test("print and read most significant octet first")
    func text() {
        let address = DeviceAddress(littleEndian: bytes("B5 63 A8 64 CC D8").span.bytes, at: 0)
        #expect(address.description == "d8:cc:64:a8:63:b5")
        #expect(DeviceAddress("D8:CC:64:A8:63:B5") == address)
        #expect(address.littleEndianBytes == bytes("B5 63 A8 64 CC D8"))
    }

    @Test(
        "are refused when misshapen",
        arguments: [
            "", "D8:CC:64:A8:63", "D8:CC:64:A8:63:B5:00", "D8CC64A863B5", "D:CC:64:A8:63:B5", ":D8:CC:64:A8:63:B5",
            "D8:CC:64:A8:63:B5:", "D8:CC::64:A8:63:B5", "D8:CC:64:A8:63:B5\u{301}", "G8:CC:64:A8:63:B5",
        ])
    func refuses(_ text: String) {
        #expect(DeviceAddress(text) == nil)
    }

    @Test(
        "hold 48 bits",
        arguments: [(0xFFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF), (0x1_0000_0000_0000, 0)] as [(UInt64, UInt64)])
    func width(_ value: UInt64, _ held: UInt64) {
        #expect(DeviceAddress(value).value == held)
    }

    /// The values of Address_Type: Core Specification Vol 4, Part E, 7.7.65.13.
    @Test(
        "are public or random as the controller reports, and random if the advertiser is anonymous",
        arguments: [(0x00, false), (0x01, true), (0x02, false), (0x03, true), (0xFF, true)] as [(UInt8, Bool)])
    func kinds(_ type: UInt8, _ isRandom: Bool) {
        #expect(AddressType(rawValue: type).isRandom == isRandom)
    }

    @Test("are of type 0 if public and of type 1 if random")
    func types() {
        #expect(AddressType.public == AddressType(rawValue: 0))
        #expect(AddressType.random == AddressType(rawValue: 1))
    }
}

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "are written and read as RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (1_767_225_600_001_000, "2026-01-01T00:00:00.001000Z"),
            (951_827_696_789_012, "2000-02-29T12:34:56.789012Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (4_102_444_799_999_999, "2099-12-31T23:59:59.999999Z"),
            // The first microsecond of an hour, a minute and a second, and the last one that fits into four digits.
            (1_767_308_400_000_000, "2026-01-01T23:00:00.000000Z"),
            (1_767_229_140_000_000, "2026-01-01T00:59:00.000000Z"),
            (1_767_225_659_000_000, "2026-01-01T00:00:59.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(Int64, String)])
    func text(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(
        "have a year of four digits, however far away they are",
        arguments: [
            (253_402_300_800_000_000, "9999-01-01T00:00:00.000000Z"), (.max, "9999-01-10T04:00:54.775807Z"),
            (-62_167_219_200_000_001, "0000-12-31T23:59:59.999999Z"), (.min, "0000-12-21T19:59:05.224192Z"),
        ] as [(Int64, String)])
    func farYears(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test(
        "are read with offsets, short and long fractions",
        arguments: [
            ("2026-01-01T01:00:00+01:00", 1_767_225_600_000_000), ("2025-12-31T18:30:00-05:30", 1_767_225_600_000_000),
            ("2026-01-01 00:00:00.5Z", 1_767_225_600_500_000),
            ("2026-01-01T00:00:00.123456789Z", 1_767_225_600_123_456),
            // A leap second is the first second of the next day.
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
            // The widest offsets.
            ("2026-01-01T23:59:00+23:59", 1_767_225_600_000_000), ("2025-12-31T00:01:00-23:59", 1_767_225_600_000_000),
        ] as [(String, Int64)])
    func variants(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(
        "are refused when misshapen",
        arguments: [
            "", "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
            "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "2026-1-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
            "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00+01:0",
            // They end where a digit could follow.
            "2026-01-01T00:00:00.", "2026-01-01T00:00:00.5", "2026-01-01T00:00:0",
        ])
    func refuses(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("take no harm from absurd seconds", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func absurd(_ seconds: Double) {
        let time = Timestamp(seconds: seconds)
        #expect(!time.advanced(bySeconds: 1).rfc3339.isEmpty)
    }

    @Test(
        "are limited to what the type can hold, and are 1970 for a value that is no number",
        arguments: [
            (.nan, 0), (1e300, 9_000_000_000_000_000_000), (-1e300, -9_000_000_000_000_000_000),
            (.infinity, 9_000_000_000_000_000_000), (-.infinity, -9_000_000_000_000_000_000),
        ] as [(Double, Int64)])
    func clamped(_ seconds: Double, _ microseconds: Int64) {
        #expect(Timestamp(seconds: seconds).microseconds == microseconds)
    }

    @Test(
        "have a distance in seconds, and can be moved by seconds",
        arguments: [(10_000_000, 1.5, 11_500_000), (10_000_000, -2.25, 7_750_000), (-500_000, 0.5, 0)]
            as [(Int64, Double, Int64)])
    func seconds(_ start: Int64, _ seconds: Double, _ end: Int64) {
        let (start, end) = (Timestamp(microseconds: start), Timestamp(microseconds: end))
        #expect(start.advanced(bySeconds: seconds) == end)
        #expect(end.seconds(since: start) == seconds)
        #expect(end.seconds - start.seconds == seconds)
        #expect(Timestamp(seconds: end.seconds) == end)
    }

    @Test(
        "are rounded to the microsecond",
        arguments: [(1.000_000_4, 1_000_000), (1.000_000_6, 1_000_001)] as [(Double, Int64)])
    func rounded(_ seconds: Double, _ microseconds: Int64) {
        #expect(Timestamp(seconds: seconds).microseconds == microseconds)
    }
}

@Suite("Sources")
struct SourceIDTests {
    @Test("are in the order in which they are listed")
    func order() {
        let sources: [SourceID] = [0, 1, 2, .last]
        #expect(sources.reversed().sorted() == sources)
        #expect(sources.allSatisfy { !($0 < $0) })
    }

    @Test(
        "behind the last number share it",
        arguments: [(65534, 65534), (65535, 65535), (65536, 65535)])
    func clamped(_ place: Int, _ held: Int) {
        #expect(SourceID(place: place).place == held)
    }
}
