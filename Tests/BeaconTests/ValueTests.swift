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
        arguments: ["", "D8:CC:64:A8:63", "D8:CC:64:A8:63:B5:00", "D8CC64A863B5", "D:CC:64:A8:63:B5"])
    func refuses(_ text: String) {
        #expect(DeviceAddress(text) == nil)
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
        ] as [(Int64, String)])
    func text(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(
        "are read with offsets, short and long fractions",
        arguments: [
            ("2026-01-01T01:00:00+01:00", 1_767_225_600_000_000), ("2025-12-31T18:30:00-05:30", 1_767_225_600_000_000),
            ("2026-01-01 00:00:00.5Z", 1_767_225_600_500_000),
            ("2026-01-01T00:00:00.123456789Z", 1_767_225_600_123_456),
        ] as [(String, Int64)])
    func variants(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(
        "are refused when misshapen",
        arguments: [
            "", "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
            "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "2026-1-01T00:00:00Z",
        ])
    func refuses(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test("take no harm from absurd seconds", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func absurd(_ seconds: Double) {
        let time = Timestamp(seconds: seconds)
        #expect(!time.advanced(bySeconds: 1).rfc3339.isEmpty)
    }
}
