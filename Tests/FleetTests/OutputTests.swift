import Beacon
import Fleet
import FleetFormat
import Foundation
import Rooms
import TestSupport
import Testing
import YAMLText

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let hall = RoomMap.Room(name: "Hall", floor: 0)
private let shop = RoomMap.Room(name: "Shop", floor: 0)

private func snapshot(
    _ second: Int64?, room: RoomMap.Room? = hall, probability: Double = 0.9, state: FleetScanner.State = .ok
) -> FleetSnapshot {
    let time = Timestamp(seconds: Double(second ?? 0))
    return FleetSnapshot(
        time: time, second: second,
        rooms: [
            RoomAnswer(
                beacon: beacon, room: room, unknown: room == nil ? .blind : nil, probability: probability, since: 10)
        ],
        scanners: [FleetScanner(place: ScannerPlace(scanner: "pi-1", room: "Hall"), state: state, since: time)])
}

@Suite struct FleetChangesTests {
    @Test("what is there at first is no news; another room, none, and a scanner that is blind are")
    func changes() throws {
        var changes = FleetChanges()
        #expect(changes.take(snapshot(nil)) == [])
        #expect(changes.take(snapshot(10)) == [])
        #expect(changes.take(snapshot(11, probability: 0.5)) == [])
        let moved = try #require(changes.take(snapshot(12, room: shop)).first)
        guard case .room(let answer, let previous) = moved else { throw Surprise() }
        #expect((answer.room, previous) == (shop, hall))
        #expect(changes.take(snapshot(13, room: nil, state: .blind)).map(\.kind) == ["room", "scanner"])
        #expect(changes.take(snapshot(14, room: nil, state: .blind)) == [])
    }

    private struct Surprise: Error {}
}

@Suite(.timeLimit(.minutes(10))) struct FleetHubTests {
    @Test("a reader gets each event once, and the newest snapshot")
    func events() async throws {
        let hub = FleetHub(start: Timestamp(seconds: 1000))
        let reader = hub.subscribe()
        hub.publish(snapshot(10))
        hub.publish(snapshot(11, room: shop))
        let first = try #require(await reader.next())
        #expect(first.records.map(\.id) == [1_000_000_000])
        #expect(first.snapshot.second == 11)
        hub.publish(snapshot(12, room: nil))
        let second = try #require(await reader.next())
        #expect(second.records.map(\.id) == [1_000_000_001])
        #expect(!second.hasMissed)
    }

    @Test("one that waits is woken, and one that is cancelled ends")
    func waiting() async throws {
        let hub = FleetHub(start: Timestamp(seconds: 1000))
        async let batch = hub.subscribe().next()
        await letOthersRun()
        hub.publish(snapshot(10))
        #expect(await batch?.snapshot.second == 10)
        let reader = hub.subscribe()
        _ = await reader.next()
        let task = Task { await reader.next() == nil }
        await letOthersRun()
        task.cancel()
        #expect(await task.value)
    }

    @Test(
        "one that comes back gets what it has missed, and is told where that is no longer kept",
        arguments: [
            (after: UInt64(1_000_000_002), ids: [1_000_000_003], hasMissed: false),
            (after: 1_000_000_001, ids: [1_000_000_002, 1_000_000_003], hasMissed: false),
            (after: 1_000_000_000, ids: [1_000_000_002, 1_000_000_003], hasMissed: true),
            (after: 5, ids: [1_000_000_002, 1_000_000_003], hasMissed: true),
            (after: 1_000_000_003, ids: [], hasMissed: false),
            (after: .max, ids: [1_000_000_002, 1_000_000_003], hasMissed: true),
        ] as [(after: UInt64, ids: [UInt64], hasMissed: Bool)])
    func resume(after: UInt64, ids: [UInt64], hasMissed: Bool) async throws {
        let hub = FleetHub(capacity: 2, start: Timestamp(seconds: 1000))
        for (second, room) in [(10, hall), (11, shop), (12, hall), (13, shop), (14, hall)] {
            hub.publish(snapshot(Int64(second), room: room))
        }
        let batch = try #require(await hub.subscribe(after: after).next())
        #expect(batch.records.map(\.id) == ids)
        #expect(batch.hasMissed == hasMissed)
    }
}

@Suite struct FleetScannersTests {
    private func message(_ state: String, room: String? = "Hall") throws -> ScannerMessage {
        let place = room.map { #","room":"\#($0)""# } ?? ""
        return try ScannerMessage(json: Array(#"{"scanner":"\#(state)"\#(place)}"#.utf8), host: "pi-1")
    }

    private func state(_ scanners: inout FleetScanners, at now: Double) -> FleetScanner.State? {
        scanners.states(at: now, time: Timestamp(seconds: now)).first?.state
    }

    @Test("a scanner is there, blind, or gone, each since when")
    func states() throws {
        var scanners = FleetScanners()
        scanners.take(try message("ok"), of: "pi-1", at: 0)
        #expect(state(&scanners, at: 1) == .ok)
        scanners.hear("pi-1", isBlind: true, at: 2)
        #expect(state(&scanners, at: 3) == .blind)
        #expect(scanners.states(at: 9, time: Timestamp(seconds: 9)).first?.since == Timestamp(seconds: 3))
        #expect(state(&scanners, at: 2 + FleetScanners.silence + 1) == .gone)
        scanners.hear("pi-1", isBlind: false, at: 20)
        #expect(state(&scanners, at: 21) == .ok)
        scanners.leave("pi-1")
        #expect(state(&scanners, at: 21) == .gone)
    }

    @Test("after the broker was away, a scanner is gone only where it stays silent")
    func reconnection() throws {
        var scanners = FleetScanners()
        scanners.take(try message("ok"), of: "pi-1", at: 0)
        scanners.connect(at: 300)
        #expect(state(&scanners, at: 301) == .ok)
        #expect(state(&scanners, at: 311) == .gone)
    }

    @Test("a silent scanner is looked for when its silence can have begun, and not at each message")
    func silence() throws {
        var scanners = FleetScanners()
        for host in ["pi-1", "pi-2"] { scanners.take(try message("ok"), of: host, at: 0) }
        for second in 1...10 {
            scanners.hear("pi-2", isBlind: false, at: Double(second))
            #expect(scanners.takeSilent(while: Double(second)).isEmpty)
        }
        #expect(scanners.takeSilent(while: 10.5) == ["pi-1"])
        #expect(scanners.takeSilent(while: 10.6).isEmpty, "it is known")
        scanners.hear("pi-1", isBlind: false, at: 11)
        #expect(scanners.takeSilent(while: 11).isEmpty)
        scanners.hear("pi-1", isBlind: false, at: 20)
        #expect(scanners.takeSilent(while: 20.5) == ["pi-2"])
    }

    @Test("the scanners that are there are the same as if each were looked at, at each message", arguments: 0..<20)
    func sameAsAlways(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (scanners, now, named, silent) = (FleetScanners(), 0.0, 0, 0)
        var lastHeard: [String: Double] = [:]
        var (there, expected): (Set<String>, Set<String>) = ([], [])
        let message = try message("ok")
        for _ in 0..<2000 {
            now += Double.random(in: 0...1, using: &random)
            // Some are heard often, and some so seldom that they fall silent.
            let host = "pi-\(Int(8 * pow(Double.random(in: 0..<1, using: &random), 3)))"
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                scanners.connect(at: now)
                lastHeard = lastHeard.mapValues { _ in now }
            case 1:
                scanners.take(nil, of: host, at: now)
                lastHeard[host] = nil
            default:
                scanners.take(message, of: host, at: now)
                scanners.hear(host, isBlind: false, at: now)
                lastHeard[host] = now
                there.insert(host)
                expected.insert(host)
            }
            let all = lastHeard.filter { now - $0.value > FleetScanners.silence }.keys
            expected.subtract(all)
            silent += all.count
            let new = scanners.takeSilent(while: now)
            there.subtract(new)
            named += new.count
            #expect(there == expected)
        }
        #expect(silent > 100 && named < silent / 2, "\(named) of \(silent)")
    }

    @Test("one without a room is none of the fleet, and one that is removed leaves it")
    func outsiders() throws {
        var scanners = FleetScanners()
        scanners.take(try message("ok", room: nil), of: "pi-1", at: 0)
        scanners.hear("pi-1", isBlind: false, at: 0)
        #expect(state(&scanners, at: 1) == nil)
        scanners.take(try message("ok"), of: "pi-1", at: 0)
        #expect(state(&scanners, at: 1) == .ok)
        scanners.take(nil, of: "pi-1", at: 1)
        #expect(state(&scanners, at: 1) == nil)
    }
}
