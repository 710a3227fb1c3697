import Beacon
import HCI
import RadioEmulation
import Testing

@Suite struct ScanningTests {
    private func count(_ commands: [Command], seconds: Int = 20, beacons: Scenario = .oneBeacon(at: 1)) -> Int {
        var emulation = Emulation(beacons)
        let ear = emulation.attach()
        emulation.run(commands, on: ear)
        return emulation.packets(of: ear, until: .seconds(seconds)).count
    }

    @Test("nothing is reported without the masks")
    func withoutTheMasksNothingIsReported() {
        let scan: [Command] = [.leSetScanParameters(ScanParameters()), .leSetScanEnable(true)]
        let extended: [Command] = [
            .leSetExtendedScanParameters(ScanParameters()), .leSetExtendedScanEnable(true),
        ]
        // After a reset LE Meta is off.
        #expect(count(scan) == 0)
        // With it the legacy report is on, the extended one is not.
        #expect(count([.setEventMask()] + scan) > 180)
        #expect(count([.setEventMask()] + extended) == 0)
        #expect(count([.setEventMask(), .leSetEventMask(1 << 12)] + extended) > 180)
        #expect(count([.setEventMask(), .leSetEventMask(1 << 12)] + scan) == 0)
        #expect(count([.setEventMask(), .leSetEventMask(), .reset] + scan) == 0)
    }

    @Test("duplicates are left out when asked")
    func duplicatesAreLeftOutWhenAsked() {
        let legacy = Array(Listen.legacy.dropLast()) + [Command(.leSetScanEnable, [1, 1])]
        #expect(count(legacy) == 1)
        let extended = Array(Listen.extended.dropLast())
        #expect(count(extended + [Command(.leSetExtendedScanEnable, hex("01 01 0000 0000"))]) == 1)
        // A new start of the filter with each period of 1.28 s: 16 in 20 s.
        let perPeriod = Command(.leSetExtendedScanEnable, hex("01 02 6400 0100"))
        #expect((15...16).contains(count(extended + [perPeriod])))
    }

    @Test("a beacon with a new address is no duplicate")
    func aBeaconWithANewAddressIsNoDuplicate() {
        var scenario = Scenario.oneBeacon(at: 1)
        scenario.beacons[0].rotation = .every(.seconds(1))
        let filtered = Array(Listen.legacy.dropLast()) + [Command(.leSetScanEnable, [1, 1])]
        #expect(count(filtered, beacons: scenario) == 20)
        scenario.beacons[0].rotation = .everyPacket
        #expect(count(filtered, beacons: scenario) > 180)
    }

    @Test(
        "window and interval decide how much is heard",
        arguments: [(0x60, 0x30, 0.5), (0x60, 0x18, 0.25), (0x140, 0x140, 1)])
    func windowAndIntervalDecideHowMuchIsHeard(_ interval: Int, _ window: Int, _ share: Double) {
        let scan = ScanParameters(interval: UInt16(interval), window: UInt16(window))
        let commands: [Command] = [.setEventMask(), .leSetScanParameters(scan), .leSetScanEnable(true)]
        let full = Double(count(Listen.legacy, seconds: 600))
        let heard = Double(count(commands, seconds: 600))
        #expect(abs(heard / full - share) < 0.03)
    }

    @Test("advertising on one channel is heard a third of the time")
    func advertisingOnOneChannelIsHeardAThirdOfTheTime() {
        var emulation = Emulation(.silence)
        let ear = emulation.attach()
        let mouth = emulation.attach()
        emulation.run(Listen.legacy, on: ear)
        emulation.run(
            [Command(.leSetAdvertisingParameters, hex("A000 A000 03 00 00 000000000000 01 00"))]
                + Recipe.legacy.dropFirst(), on: mouth)
        let heard = emulation.packets(of: ear, until: .seconds(600)).count
        #expect((1750...2060).contains(heard))
    }

    @Test("active scanning gets the scan response", arguments: [false, true])
    func activeScanningGetsTheScanResponse(_ isExtended: Bool) {
        let advertise: [Command] = [
            Command(.leSetAdvertisingParameters, hex("A000 A000 02 00 00 000000000000 07 00")),
            .leSetAdvertisingData([2, 1, 6]), .leSetScanResponseData(Recipe.payload), .leSetAdvertisingEnable(true),
        ]
        let active = ScanParameters(isActive: true)
        let listen: [Command] =
            [.setEventMask(), .leSetEventMask()]
            + (isExtended
                ? [.leSetExtendedScanParameters(active), .leSetExtendedScanEnable(true)]
                : [.leSetScanParameters(active), .leSetScanEnable(true)])
        var emulation = Emulation(.silence)
        let ear = emulation.attach()
        let mouth = emulation.attach()
        emulation.run(listen, on: ear)
        emulation.run(advertise, on: mouth)
        let heard = reports(emulation.packets(of: ear, until: .seconds(1)))
        #expect(heard.count >= 16 && heard.count % 2 == 0)
        #expect(heard[0].data == [2, 1, 6] && heard[1].data == Recipe.payload)
        #expect(heard[0].report.eventType == (isExtended ? 0x12 : 2))
        #expect(heard[1].report.eventType == (isExtended ? 0x1A : 4))
    }

    @Test("a limited scan ends and says so")
    func aLimitedScanEndsAndSaysSo() {
        var emulation = Emulation(.oneBeacon(at: 1))
        let ear = emulation.attach()
        emulation.run([.setEventMask(), .leSetEventMask(1 << 12 | 1 << 16)], on: ear)
        emulation.run([Command(.leSetExtendedScanEnable, hex("01 00 6400 0000"))], on: ear)
        let packets = emulation.packets(of: ear, until: .seconds(5))
        #expect((9...11).contains(packets.count))
        #expect(packets.last == hex("04 3E 01 11"))
    }

    @Test("scanning stops when it is disabled")
    func scanningStops() {
        var emulation = Emulation(.oneBeacon(at: 1))
        let ear = emulation.attach()
        emulation.run(Listen.legacy, on: ear)
        #expect(!emulation.packets(of: ear, until: .seconds(1)).isEmpty)
        emulation.run([.leSetScanEnable(false)], on: ear)
        #expect(emulation.packets(of: ear, until: .seconds(2)).isEmpty)
    }
}
