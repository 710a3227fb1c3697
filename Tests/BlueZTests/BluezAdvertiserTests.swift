import Beacon
import BlueZ
import Bus
import Radio
import Testing
import TestSupport
import Text

@Suite("The advertisement that bluetoothd reads")
struct LEAdvertisementTests {
    private static let beacon = IBeacon(
        id: BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 2),
        measuredPower: -56)
    private let advertisement = LEAdvertisement(Self.beacon, interval: 100)

    private func call(_ member: String, _ body: [BusValue] = [], at path: String = LEAdvertisement.path) -> BusMessage {
        .call("org.bluez", path, "x.y", member, body)
    }

    @Test("is a broadcast of Apple's manufacturer data, as a{qv}")
    func properties() throws {
        let answer = advertisement.answer(call("GetAll", [.string("org.bluez.LEAdvertisement1")]), isFromDaemon: true)
        let properties = try #require(answer.answer.body.first)
        #expect(properties["Type"]?.text == "broadcast")
        #expect(properties["MinInterval"]?.integer == 100)
        let data = try #require(properties["ManufacturerData"])
        #expect(data.typeSignature == "a{qv}")
        let octets = try #require(data.entries?[.uint16(0x004C)]?.content.octets)
        #expect(octets.count == 23)
        #expect(octets.prefix(2) == [0x02, 0x15])
        #expect(octets.suffix(5) == [0, 1, 0, 2, 0xC8])
        #expect(!answer.isReleased)
    }

    @Test("ends when bluetoothd releases it, and when nobody else does")
    func release() {
        #expect(advertisement.answer(call("Release"), isFromDaemon: true).isReleased)
        let stranger = advertisement.answer(call("Release"), isFromDaemon: false)
        #expect(!stranger.isReleased)
        #expect(stranger.answer.failure?.name == .accessDenied)
    }

    @Test("answers everything else with an error", arguments: ["Get", "Set", "Explode"])
    func others(member: String) {
        #expect(advertisement.answer(call(member), isFromDaemon: true).answer.failure != nil)
        #expect(
            advertisement.answer(call("GetAll", at: "/"), isFromDaemon: true).answer.failure?.name == .unknownObject)
    }
}

/// Over a real message bus and against a bluetoothd without hardware.
@Suite(.enabled("\(MockBluez.absence ?? "")") { MockBluez.absence == nil }, .timeLimit(.minutes(10)))
struct BluezAdvertiserTests {
    private static let beacon = IBeacon(
        id: BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 0, minor: 0),
        measuredPower: -56)

    private func bluez(parameters: String = "{}", isPowered: Bool = true) async throws -> MockBluez {
        let bluez = try await MockBluez(try await PrivateBus(), parameters: parameters)
        try await bluez.addAdapter("hci0", isPowered: isPowered)
        return bluez
    }

    private func advertiser(_ bluez: MockBluez, adapter: UInt16 = 0) -> BluezAdvertiser {
        BluezAdvertiser(adapter: adapter, beacon: Self.beacon, interval: 100, bus: bluez.bus.address)
    }

    @Test(
        "is registered as it should be, and unregistered in the end, also before bluetoothd has answered",
        arguments: [
        "{}", #"{"advertising": "unanswered"}"#,
    ])
    func registered(parameters: String) async throws {
        let bluez = try await bluez(parameters: parameters)
        let advertiser = advertiser(bluez)
        let running = Task { try await advertiser.run() }
        try await bluez.program.waitUntil("it is registered") {
            $0.lines.contains(
                "advertisement broadcast qv 004C:0215636F3F8F64914BEE95F7D8CC64A863B500000000C8 100-100")
        }
        running.cancel()
        try await running.value
        try await bluez.program.waitUntil("it is unregistered") { $0.lines.contains("advertisement off") }
    }

    @Test("a failure says what to do", arguments: [
        (#"{"advertising": "full"}"#, UInt16(0), true, "no room for another advertisement"),
        (#"{"advertising": "no"}"#, 0, true, "--mode hci"),
        ("{}", 3, true, "no adapter hci3"),
        ("{}", 0, false, "powered off"),
    ])
    func refused(parameters: String, adapter: UInt16, isPowered: Bool, says: String) async throws {
        let bluez = try await bluez(parameters: parameters, isPowered: isPowered)
        let advertiser = advertiser(bluez, adapter: adapter)
        let error = await #expect(throws: RadioError.self) { try await advertiser.run() }
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    }

    @Test("ends with a message when it is taken away, and when bluetoothd dies", arguments: [false, true])
    func taken(dies: Bool) async throws {
        let bluez = try await bluez()
        let advertiser = advertiser(bluez)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            defer { started.finish() }
            try await advertiser.run { _ in started.yield() }
        }
        // Not what bluetoothd says: it may not have answered yet.
        for await _ in starts { break }
        if dies { try await bluez.kill() } else { try await bluez.setPower(of: "hci0", false) }
        let error = await #expect(throws: RadioError.self) { try await running.value }
        #expect(error?.code == .disconnected)
        #expect(error?.description.contains(dies ? "bluetoothd has ended" : "taken the advertisement away") == true)
    }
}
