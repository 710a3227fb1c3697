import Beacon
import Listening
import Radio
import TestSupport
import Testing
import Text

@Suite("Source specifications")
struct SourceSpecTests {
    @Test(
        "are read",
        arguments: [
            ("hci0", SourceSpec.Kind.adapter(.index(0), .raw)), ("hci12:user", .adapter(.index(12), .user)),
            (
                "hci:AA:BB:CC:DD:EE:FF", .adapter(.address(DeviceAddress(0xAABB_CCDD_EEFF)), .raw)
            ),
            ("bluez:hci1", .bluetoothd(1)), ("file:a b.txt", .file(path: "a b.txt")), ("file:-", .file(path: "-")),
            ("file:C:odd", .file(path: "C:odd")), ("sim", .emulation(path: nil)),
            ("sim:x.yaml", .emulation(path: "x.yaml")), ("auto", .auto),
            ("file:\u{301}x", .file(path: "\u{301}x")), ("sim:\u{301}x", .emulation(path: "\u{301}x")),
            ("h4:tcp:localhost:1", .h4(.tcp(host: "localhost", port: 1))),
        ])
    func good(_ text: String, _ kind: SourceSpec.Kind) throws {
        let spec = try SourceSpec(text)
        #expect(spec.kind == kind)
        #expect(spec.description == text)
    }

    @Test(
        "that are wrong are named in the error, with what there is",
        arguments: ["", "hci", "hcix", "hci0:raw", "hci:AA:BB", "file:", "sim:", "bluez:x", "h4:", "radio", "hci99999"])
    func bad(_ text: String) {
        let error = #expect(throws: RadioError.self) { try SourceSpec(text) }
        #expect(error?.code == .badSource)
        #expect(error?.description.contains("\"\(text)\"") == true)
        #expect(error?.remedy.isEmpty == false)
    }
}

@Suite("The feed between radio and ranging", .timeLimit(.minutes(10)))
struct SightingFeedTests {
    private func sighting(_ minor: UInt16) -> Sighting {
        let id = BeaconID(uuid: ProximityUUID(1), major: 0, minor: minor)
        return Sighting(time: nil, rssi: -50, beacon: IBeacon(id: id, measuredPower: -59))
    }

    @Test("gives everything in order, in batches")
    func order() async {
        let feed = SightingFeed()
        for minor in 0..<100 { feed.push(sighting(UInt16(minor))) }
        let batch = await feed.nextBatch()
        #expect(batch?.map(\.beacon.id.minor) == Array(0..<100))
    }

    @Test("drops the oldest and counts them when nobody reads")
    func bounded() async {
        let feed = SightingFeed(capacity: 10)
        for minor in 0..<25 { feed.push(sighting(UInt16(minor))) }
        #expect(feed.dropped == 15)
        #expect(await feed.nextBatch()?.map(\.beacon.id.minor) == Array(15..<25))
    }

    @Test("has room for half a second of 100,000 a second")
    func room() {
        let feed = SightingFeed()
        for number in 0..<50_000 { feed.push(sighting(UInt16(number % 200))) }
        #expect(feed.dropped == 0)
        #expect(feed.takeWaiting()?.count == 50_000)
        #expect(feed.takeWaiting()?.isEmpty == true)
    }

    @Test("gives what is left, then ends")
    func end() async {
        let feed = SightingFeed()
        feed.push(sighting(1))
        feed.finish()
        #expect(await feed.nextBatch()?.count == 1)
        #expect(await feed.nextBatch() == nil)
        #expect(feed.takeWaiting() == nil)
    }

    @Test("wakes its reader for a sighting, and for a cancellation")
    func wakes() async {
        let feed = SightingFeed()
        for _ in 0..<20 {
            let reader = Task { await feed.nextBatch()?.count }
            await letOthersRun()
            feed.push(sighting(1))
            #expect(await reader.value == 1)
            let idle = Task { await feed.nextBatch() }
            await letOthersRun()
            idle.cancel()
            #expect(await idle.value == nil)
        }
    }
}
