import Beacon
import HCI
import RadioEmulation
import Testing

@Suite struct AdvertisingTests {
    /// A scanner and an advertiser, a metre apart, on an air without noise.
    private func heard(
        _ advertise: [Command], by listen: [Command], advertiser: ControllerProfile = .bluetooth5,
        scanner: ControllerProfile = .bluetooth5, seconds: Int = 60
    ) -> [(report: AdvertisingReport, data: [UInt8])] {
        var emulation = Emulation(.silence)
        let ear = emulation.attach(scanner)
        let mouth = emulation.attach(advertiser, motion: .fixed(Position(1, 0)))
        #expect(emulation.run(listen, on: ear).allSatisfy { $0 == .success })
        #expect(emulation.run(advertise, on: mouth).allSatisfy { $0 == .success })
        return reports(emulation.packets(of: ear, until: .seconds(seconds)))
    }

    @Test("the recipe is heard at its rate", arguments: [ControllerProfile.raspberryPi3, .bluetooth5])
    func recipeIsHeardAtItsRate(_ profile: ControllerProfile) throws {
        let reports = heard(Recipe.legacy, by: Listen.legacy, advertiser: profile, scanner: profile)
        // 100 ms and 5 ms of delay on average: 571 in a minute.
        #expect((560...580).contains(reports.count))
        for (report, data) in reports {
            #expect(data == Recipe.payload)
            #expect(!report.isExtended && report.eventType == 3)
            #expect(report.addressType == .public && report.address == DeviceAddress(0x02BE_AC00_0002))
            #expect(report.rssi == -56)
        }
    }

    @Test("the recipe in one octet less is refused")
    func recipeInOneOctetLessIsRefused() {
        var controller = VirtualController(profile: .raspberryPi3, address: DeviceAddress(1))
        // The well-known hcitool line: 31 octets of parameters.
        let short = Command(.leSetAdvertisingData, [0x1E] + Recipe.payload)
        #expect(short.parameters.count == 31)
        #expect(controller.status(short) == .invalidParameters)
        #expect(controller.status(.leSetAdvertisingData(Recipe.payload)) == .success)
    }

    @Test("extended commands with legacy PDUs reach every scanner")
    func extendedCommandsWithLegacyPDUsReachEveryScanner() {
        let byLegacy = heard(Recipe.extended, by: Listen.legacy, scanner: .raspberryPi3)
        #expect((560...580).contains(byLegacy.count))
        #expect(byLegacy.allSatisfy { $0.report.eventType == 3 && $0.data == Recipe.payload })
        let byExtended = heard(Recipe.extended, by: Listen.extended, scanner: .extendedOnly)
        #expect((560...580).contains(byExtended.count))
        for (report, data) in byExtended {
            #expect(report.isExtended && report.eventType == 0x0010 && report.advertisingSID == 0xFF)
            #expect(report.rssi == -56 && data == Recipe.payload)
        }
    }

    @Test("a legacy advertisement reaches an extended scanner")
    func legacyAdvertisementReachesAnExtendedScanner() {
        let reports = heard(Recipe.legacy, by: Listen.extended, advertiser: .raspberryPi3, seconds: 10)
        #expect(reports.count > 90)
        #expect(reports.allSatisfy { $0.report.isExtended && $0.report.eventType == 0x0010 })
    }

    @Test("extended PDUs reach only extended scanners, and come in pieces")
    func extendedPDUsReachOnlyExtendedScannersAndComeInPieces() throws {
        let data = (0..<600).map { UInt8($0 % 251) }
        let advertise = StrictnessTests.extendedSet + [
            Command(.leSetExtendedAdvertisingData, [0, 1, 0, 250] + data[..<250]),
            Command(.leSetExtendedAdvertisingData, [0, 0, 0, 250] + data[250..<500]),
            Command(.leSetExtendedAdvertisingData, [0, 2, 0, 100] + data[500...]),
            .leSetExtendedAdvertisingEnable(true, .first),
        ]
        #expect(heard(advertise, by: Listen.legacy, seconds: 5).isEmpty)
        let pieces = heard(advertise, by: Listen.extended, seconds: 1)
        #expect(pieces.count % 3 == 0 && pieces.count >= 24)
        #expect(pieces.prefix(3).map(\.report.dataStatus) == [.moreToCome, .moreToCome, .complete])
        #expect(pieces.prefix(3).flatMap(\.data) == data)
        #expect(pieces.allSatisfy { $0.report.advertisingSID == 0 })
    }

    @Test("data changes while it advertises, and stops with disable")
    func dataChangesWhileItAdvertisesAndStopsWithDisable() {
        var emulation = Emulation(.silence)
        let ear = emulation.attach()
        let mouth = emulation.attach()
        emulation.run(Listen.legacy, on: ear)
        emulation.run(Recipe.legacy, on: mouth)
        _ = emulation.advance(to: .seconds(1))
        emulation.run([.leSetAdvertisingData([2, 1, 6])], on: mouth)
        let changed = reports(emulation.packets(of: ear, until: .seconds(2)))
        #expect(!changed.isEmpty && changed.allSatisfy { $0.data == [2, 1, 6] })
        emulation.run([.leSetAdvertisingEnable(false)], on: mouth)
        #expect(emulation.packets(of: ear, until: .seconds(3)).isEmpty)
        emulation.run([.leSetAdvertisingEnable(true)], on: mouth)
        #expect(!emulation.packets(of: ear, until: .seconds(4)).isEmpty)
        emulation.run([.reset], on: mouth)
        #expect(emulation.packets(of: ear, until: .seconds(5)).isEmpty)
        emulation.run(Recipe.legacy, on: mouth)
        emulation.detach(mouth)
        #expect(emulation.packets(of: ear, until: .seconds(6)).isEmpty)
    }

    @Test("controllers hear the others, but not themselves")
    func controllersHearTheOthersButNotThemselves() {
        var emulation = Emulation(.silence)
        let both = [emulation.attach(), emulation.attach()]
        for id in both {
            emulation.run(Listen.legacy + Recipe.legacy, on: id)
        }
        let deliveries = emulation.advance(to: .seconds(10))
        for (index, id) in both.enumerated() {
            let heard = reports(deliveries.filter { $0.controller == id }.map(\.packet))
            #expect(heard.count > 85)
            #expect(heard.allSatisfy { $0.report.address == DeviceAddress(0x02BE_AC00_0001 + UInt64(1 - index)) })
        }
    }

    @Test("limited sets end and say why")
    func limitedSetsEndAndSayWhy() {
        var emulation = Emulation(.silence)
        let ear = emulation.attach()
        let mouth = emulation.attach()
        emulation.run(Listen.legacy, on: ear)
        emulation.run([.setEventMask(), .leSetEventMask(1 << 17)] + Recipe.extended.dropLast(), on: mouth)
        emulation.run([Command(.leSetExtendedAdvertisingEnable, hex("01 01 00 0000 05"))], on: mouth)
        let byCount = emulation.advance(to: .seconds(5))
        #expect(byCount.filter { $0.controller == ear }.count == 5)
        #expect(byCount.filter { $0.controller == mouth }.map(\.packet) == [hex("04 3E 06 12 43 00 0000 05")])

        emulation.run([Command(.leSetExtendedAdvertisingEnable, hex("01 01 00 6400 00"))], on: mouth)
        let byTime = emulation.advance(to: .seconds(10))
        #expect((9...10).contains(byTime.count { $0.controller == ear }))
        let end = byTime.filter { $0.controller == mouth }
        #expect(end.map(\.packet) == [hex("04 3E 06 12 3C 00 0000 00")])
        #expect(end.map(\.time) == [.seconds(6)])
    }

    @Test("what is heard decodes to sightings")
    func sightingsDecode() {
        var decoder = SightingDecoder()
        var emulation = Emulation(.museum)
        let ear = emulation.attach(.extendedOnly)
        emulation.run(Listen.extended, on: ear)
        var seen: Set<BeaconID> = []
        for packet in emulation.packets(of: ear, until: .seconds(40)) {
            decoder.decode(packet: packet.span.bytes, at: nil) { seen.insert($0.beacon.id) }
        }
        #expect(seen == Set(Scenario.museum.names.keys))
        #expect(decoder.counts.malformed == 0)
        #expect(decoder.counts.iBeacons == decoder.counts.packets)
        #expect(decoder.counts.packets == emulation.counts.reports)
    }
}
