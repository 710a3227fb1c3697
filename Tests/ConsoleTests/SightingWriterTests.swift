import Beacon
import Console
import Listening
import Testing

/// What is written for a sighting at each of these times, without the heading.
private func lines(_ format: OutputFormat, at times: Int64..., address: UInt64 = 0xC1A2_0F09_90FF) -> [String] {
    var writer = SightingWriter(collecting: format, receivers: Receivers(sources: ["air"]))
    _ = writer.taken()
    for time in times { writer.write(sighting(at: time, address: address)) }
    return String(decoding: writer.taken(), as: UTF8.self).split(separator: "\n").map(String.init)
}

private func sighting(at time: Int64, from source: SourceID = 0, address: UInt64 = 0xC1A2_0F09_90FF) -> Sighting {
    Sighting(
        time: Timestamp(microseconds: time), source: source, address: DeviceAddress(address), addressType: .random,
        eventType: 0, rssi: -60,
        beacon: IBeacon(
            id: BeaconID(uuid: ProximityUUID(0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210), major: 0, minor: 65535),
            measuredPower: -128))
}

@Suite("Lines of sightings")
struct SightingWriterTests {
    @Test("a line has every digit of time, address, UUID and numbers")
    func everyDigit() {
        #expect(
            lines(.csv, at: 1_767_225_600_009_050) == [
                "2026-01-01T00:00:00.009050Z,air,c1:a2:0f:09:90:ff,random,0,-60,01234567-89ab-cdef-fedc-ba9876543210,"
                    + "0,65535,-128"
            ])
        #expect(
            lines(.json, at: 1_767_225_600_999_999, address: 0x0A) == [
                """
                {"time":"2026-01-01T00:00:00.999999Z","source":"air","address":"00:00:00:00:00:0a",\
                "address_type":"random","event_type":0,"rssi":-60,\
                "uuid":"01234567-89ab-cdef-fedc-ba9876543210","major":0,"minor":65535,"measured_power":-128}
                """
            ])
    }

    @Test("a capture that proves to be of several adapters has the name of the first from then on")
    func namedSource() {
        let receivers = Receivers(sources: ["file:walk"])
        var writer = SightingWriter(collecting: .table, receivers: receivers)
        _ = writer.taken()
        writer.write(sighting(at: 0))
        let first = receivers.name(0, asScanner: "hci4")
        let second = receivers.id(ofScanner: "hci2", from: 0)
        for source in [second, first] { writer.write(sighting(at: 0, from: source)) }
        let rows = String(decoding: writer.taken(), as: UTF8.self).split(separator: "\n")
        #expect(rows.map { $0.contains("file:walk") } == [true, false, false])
        #expect(rows.map { $0.contains("hci2") } == [false, true, false])
        #expect(rows.map { $0.contains("hci4") } == [false, false, true])
    }

    @Test("times may go on, back, and to the ends of what a capture can hold")
    func times() {
        let start: Int64 = 1_767_225_600_000_000
        let times = lines(.csv, at: start, start + 1_000_000, start - 1, -1, 0, .min, .max, start).map { $0.prefix(27) }
        #expect(
            times == [
                "2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:01.000000Z", "2025-12-31T23:59:59.999999Z",
                "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z",
                Timestamp(microseconds: .min).rfc3339[...], Timestamp(microseconds: .max).rfc3339[...],
                "2026-01-01T00:00:00.000000Z",
            ])
    }
}
