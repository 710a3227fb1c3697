import Beacon
import BlueZ
import Bus
import Testing

/// What bluetoothd announces of devices becomes sightings.
@Suite struct DeviceTrackerTests {
    private let tracker = Tracking()

    @Test("a device that appears with a level is a sighting")
    func appearingWithLevel() throws {
        let sighting = try #require(tracker.appeared(Announced.path, Announced.device(rssi: -60)))
        #expect(
            sighting
                == Sighting(
                    time: Tracking.time, source: 3, address: DeviceAddress("C0:00:00:00:00:01"), addressType: .random,
                    eventType: nil, rssi: -60, beacon: Announced.beacon()))
    }

    /// Known devices that are not heard have no level.
    @Test("a known device without a level is not heard yet")
    func appearingWithoutLevel() {
        #expect(tracker.appeared(Announced.path, Announced.device(rssi: nil)) == nil)
        let sighting = tracker.changed(Announced.path, .properties(["RSSI": .int16(-70)]))
        #expect(sighting?.rssi == -70)
        #expect(sighting?.beacon == Announced.beacon())
        #expect(sighting?.addressType == .random)
    }

    @Test("level and data complete each other")
    func eitherCompletesTheOther() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        let other = tracker.changed(
            Announced.path, .properties(["ManufacturerData": Announced.data(minor: 9)]))
        #expect(other?.rssi == -60)
        #expect(other?.beacon == Announced.beacon(minor: 9))
        let level = tracker.changed(Announced.path, .properties(["RSSI": .int16(-61)]))
        #expect(level?.rssi == -61)
        #expect(level?.beacon == Announced.beacon(minor: 9))
    }

    @Test("level and data at once are one sighting")
    func bothAreOneSighting() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        let both: BusValue = .properties(["RSSI": .int16(-50), "ManufacturerData": Announced.data()])
        #expect(tracker.changed(Announced.path, both)?.rssi == -50)
    }

    @Test("the battery of a scan response belongs to the device's sightings", arguments: [
        ("0000180f-0000-1000-8000-00805f9b34fb", [75], 75), ("0000180f-0000-1000-8000-00805f9b34fb", [101], nil),
        ("0000180f-0000-1000-8000-00805f9b34fb", [], nil), ("0000180a-0000-1000-8000-00805f9b34fb", [75], nil),
    ] as [(String, [UInt8], UInt8?)])
    func battery(service: String, octets: [UInt8], percent: UInt8?) {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        let data: BusValue = .dictionary([.string(service): .variant(.bytes(octets))], of: "sv")
        #expect(tracker.changed(Announced.path, .properties(["ServiceData": data])) == nil)
        #expect(tracker.changed(Announced.path, .properties(["RSSI": .int16(-61)]))?.beacon.battery == percent)
    }

    /// Other properties do not mean that it was heard.
    @Test("other properties are no sighting")
    func otherProperties() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        #expect(tracker.changed(Announced.path, .properties(["Connected": .boolean(true)])) == nil)
    }

    @Test("other data is no beacon")
    func otherDataIsNoBeacon() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        let nearby: BusValue = .dictionary([.uint16(0x4C): .variant(.bytes([0x10, 5, 1, 2, 3, 4, 5]))], of: "qv")
        #expect(tracker.changed(Announced.path, .properties(["ManufacturerData": nearby])) == nil)
        #expect(tracker.changed(Announced.path, .properties(["RSSI": .int16(-40)])) == nil)
    }

    /// The level ends with a discovery.
    @Test("a level that is invalidated is not told again")
    func invalidatedLevel() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        #expect(
            tracker.changed(Announced.path, .properties([:]), invalidated: [.string("RSSI")]) == nil)
        let data: BusValue = .properties(["ManufacturerData": Announced.data()])
        #expect(tracker.changed(Announced.path, data)?.rssi == .some(nil))
    }

    @Test("a level that is not available is left out")
    func levelNotAvailable() throws {
        let sighting = try #require(tracker.appeared(Announced.path, Announced.device(rssi: 127)))
        #expect(sighting.rssi == nil)
        #expect(tracker.changed(Announced.path, .properties(["RSSI": .int16(-300)]))?.rssi == .some(nil))
    }

    /// The monitor's call is news only where no signal has told it.
    @Test("the monitor's call is news only where no signal has told it")
    func foundByMonitor() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        #expect(tracker.found(Announced.path) == nil)
        tracker.lost(Announced.path)
        #expect(tracker.found(Announced.path)?.rssi == -60)
        #expect(tracker.found(Announced.path) == nil)
        #expect(tracker.found(Announced.adapterPath + "/dev_none") == nil)
    }

    /// bluetoothd has objects of devices that it does not receive, and changes them for other reasons too.
    @Test("a level, manufacturer data and the monitor's call mean that a device was received, and nothing else")
    func receptions() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: nil))
        _ = tracker.changed(Announced.path, .properties(["Connected": .boolean(true)]))
        _ = tracker.changed(Announced.path, .properties([:]), invalidated: [.string("RSSI")])
        #expect(tracker.found("/org/bluez/hci1/dev_C0_00_00_00_00_01") == nil)
        #expect(tracker.receptions == 0)
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        #expect(tracker.receptions == 1)
        _ = tracker.changed(Announced.path, .properties(["RSSI": .int16(-61)]))
        #expect(tracker.receptions == 2)
        _ = tracker.changed(Announced.path, .properties(["ManufacturerData": Announced.data()]))
        #expect(tracker.receptions == 3)
        _ = tracker.found(Announced.path)
        #expect(tracker.receptions == 4)
    }

    @Test("the address is read from the path")
    func addressFromThePath() {
        let bare: BusValue = .properties(["RSSI": .int16(-60), "ManufacturerData": Announced.data()])
        let sighting = tracker.changed(Announced.path, bare)
        #expect(sighting?.address == DeviceAddress("C0:00:00:00:00:01"))
    }

    @Test("other adapters and objects are passed over")
    func otherAdaptersAndObjects() {
        for path in ["/org/bluez/hci10/dev_C0_00_00_00_00_01", Announced.path + "/service0001", "/", ""] {
            #expect(tracker.appeared(path, Announced.device(rssi: -60)) == nil)
            #expect(tracker.changed(path, Announced.device(rssi: -60)) == nil)
        }
        #expect(tracker.updates == 0)
    }

    @Test("a device that was removed is forgotten")
    func removed() {
        _ = tracker.appeared(Announced.path, Announced.device(rssi: -60))
        tracker.removed(Announced.path)
        #expect(tracker.changed(Announced.path, .properties(["RSSI": .int16(-50)])) == nil)
    }

    @Test("values of the wrong types are passed over")
    func wrongTypes() {
        let wrong: [BusValue] = [
            .properties(["RSSI": .string("loud"), "ManufacturerData": Announced.data()]),
            .properties(["RSSI": .int16(-60), "ManufacturerData": .bytes([2, 0x15])]),
            .properties(["Address": .uint16(1), "RSSI": .int16(-60)]), .byte(1),
        ]
        for properties in wrong {
            _ = tracker.changed(Announced.path, properties)
        }
        #expect(tracker.malformed == wrong.count)
    }

    /// However many addresses there are, memory is bounded.
    @Test("the number of devices is bounded")
    func manyDevices() {
        for index in 0..<20_000 {
            _ = tracker.appeared("\(Announced.adapterPath)/dev_\(index)", Announced.device(rssi: -60))
        }
        #expect(tracker.updates == 16_384)
        tracker.removeAll()
        #expect(tracker.appeared(Announced.path, Announced.device(rssi: -60)) != nil)
    }
}

/// A tracker that is told things at one and the same time.
private final class Tracking {
    static let time = Timestamp(seconds: 1000)

    private var tracker = DeviceTracker(adapterPath: Announced.adapterPath, source: 3)

    var updates: Int { tracker.updates }
    var receptions: Int { tracker.receptions }
    var malformed: Int { tracker.malformed }

    func appeared(_ path: String, _ properties: BusValue) -> Sighting? {
        tracker.appeared(path, properties, at: Self.time)
    }

    func changed(_ path: String, _ properties: BusValue, invalidated: [BusValue] = []) -> Sighting? {
        tracker.changed(path, properties, invalidated: invalidated, at: Self.time)
    }

    func found(_ path: String) -> Sighting? {
        tracker.found(path, at: Self.time)
    }

    func lost(_ path: String) {
        tracker.lost(path)
    }

    func removed(_ path: String) {
        tracker.removed(path)
    }

    func removeAll() {
        tracker.removeAll()
    }
}
