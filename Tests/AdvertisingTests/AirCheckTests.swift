import Advertising
import Beacon
import Testing

@Suite("Verifying a beacon on the air")
struct AirCheckTests {
    static let beacon = BeaconSettings.recipe
    static let payload = beacon.advertisingData()
    static let sender = DeviceAddress(0x02BE_AC00_0001)
    static let stranger = DeviceAddress(0x02BE_AC00_0002)

    static func report(
        _ tenths: Int64, from address: DeviceAddress = sender, _ payload: [UInt8]? = payload, rssi: Int8? = -60,
        beacon: IBeacon? = nil
    ) -> AirCheck.Report {
        AirCheck.Report(
            time: Timestamp(microseconds: tenths * 100_000), address: address, rssi: rssi, payload: payload,
            beacon: beacon ?? payload.flatMap { IBeacon.first(in: $0.span.bytes) })
    }

    private func verdict(_ reports: [AirCheck.Report], knowing address: DeviceAddress? = sender) -> AirCheck.Verdict {
        var check = AirCheck(sent: Self.payload, beacon: Self.beacon, address: address)
        for report in reports { check.hear(report) }
        return check.verdict
    }

    @Test("tells rate and levels where every octet is right")
    func right() throws {
        let reports = [(0, -61), (1, -58), (2, -60)].map { Self.report(Int64($0.0), rssi: Int8($0.1)) }
        guard case .heard(let reception) = verdict(reports) else {
            Issue.record("not heard")
            return
        }
        #expect(reception.count == 3)
        #expect(reception.meanInterval == 0.1)
        #expect(reception.levels == [-61, -60, -58])
        #expect(reception.isWhole)
    }

    @Test("nothing heard from anybody is another matter than this beacon not heard")
    func silence() {
        #expect(verdict([]) == .blind)
        #expect(
            verdict([Self.report(0, from: Self.stranger), Self.report(1, from: Self.stranger)])
                == .notHeard(others: 2))
    }

    @Test("names the first wrong octet", arguments: [0, 2, 5, 9, 24, 26, 29])
    func wrong(offset: Int) {
        var changed = Self.payload
        changed[offset] ^= 0xFF
        guard case .wrong(let difference, let heard) = verdict([Self.report(0), Self.report(1, changed)]) else {
            Issue.record("taken as right")
            return
        }
        #expect(difference.offset == offset)
        #expect(heard == changed)
        #expect("\(difference)".contains("octet \(offset)"))
        #expect("\(difference)".contains("was sent"))
    }

    @Test("old data before the first right packet is no mistake; alone it is")
    func stale() {
        let old: [UInt8] = [2, 1, 6]
        guard case .heard = verdict([Self.report(0, old), Self.report(1), Self.report(2)]) else {
            Issue.record("old data counts")
            return
        }
        guard case .wrong(_, old) = verdict([Self.report(0, old)]) else {
            Issue.record("old data alone does not count")
            return
        }
    }

    @Test("goes by the identity where the address is not known, and finds a wrong measured power")
    func identity() {
        guard case .heard = verdict([Self.report(0, from: Self.stranger)], knowing: nil) else {
            Issue.record("not heard")
            return
        }
        var other = Self.beacon
        other.measuredPower = -1
        #expect(verdict([Self.report(0, from: Self.stranger, nil, beacon: other)]) == .wrongPower(heard: -1))
    }

    @Test(
        "names the field of an octet",
        arguments: [
            (2, "flags"), (3, "length of an AD structure"), (4, "AD type"), (5, "company identifier"),
            (8, "iBeacon's type"), (9, "UUID"), (25, "major"), (28, "minor"), (29, "measured power"),
        ])
    func field(offset: Int, name: String) throws {
        var changed = Self.payload
        changed[offset] ^= 1
        let difference = try #require(PayloadDifference(sent: Self.payload, heard: changed))
        #expect("\(difference)".contains(name))
    }

    @Test("another length is told, and the same payload is no difference")
    func length() throws {
        #expect(PayloadDifference(sent: Self.payload, heard: Self.payload) == nil)
        let shorter = try #require(PayloadDifference(sent: Self.payload, heard: Array(Self.payload.dropLast())))
        #expect(shorter.offset == 29)
        #expect("\(shorter)".contains("missing"))
        let longer = try #require(PayloadDifference(sent: Self.payload, heard: Self.payload + [0]))
        #expect("\(longer)".contains("only 30"))
    }
}
