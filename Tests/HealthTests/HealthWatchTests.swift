import Beacon
import FleetFormat
import Health
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let other = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 3)

/// A scanner that hears two beacons each half second.
private struct Machine {
    var watch = HealthWatch(learning: 60)
    var seconds = 60_000.0
    var isSilent = false
    var isBlind = false
    var changes: [HealthChange] = []

    mutating func pass(minutes: Int) {
        for _ in 0..<minutes * 12 {
            let sightings = (0..<10).flatMap { number in
                (isSilent ? [other] : [beacon, other]).map { id in
                    Sighting(
                        time: Timestamp(seconds: seconds + Double(number) / 2), rssi: -60,
                        beacon: IBeacon(id: id, measuredPower: -59))
                }
            }
            seconds += 5
            changes += watch.take(
                isBlind ? [] : sightings, at: Timestamp(seconds: seconds), sources: [(0, "hci0", isBlind)])
        }
    }
}

@Suite struct HealthWatchTests {
    @Test("sightings become minutes, and minutes what is wrong")
    func missing() {
        var machine = Machine()
        machine.pass(minutes: 70)
        #expect(machine.watch.health.map(\.beacon) == [beacon, other])
        #expect(machine.watch.health.first?.interval == 0.5)
        machine.isSilent = true
        machine.pass(minutes: 7)
        #expect(machine.changes.map(\.problem.kind) == [.missing])
    }

    @Test("what was learned is kept over a restart, and a problem is not told twice")
    func restart() throws {
        var machine = Machine()
        machine.pass(minutes: 70)
        machine.isSilent = true
        machine.pass(minutes: 7)
        let text = machine.watch.memory.json
        let memory = try HealthMemory(json: Array(text.utf8))
        #expect(memory.json == text)
        var next = Machine()
        next.seconds = machine.seconds
        next.isSilent = true
        next.watch.restore(memory)
        #expect(next.watch.health.map(\.problems) == [machine.changes.map(\.problem)])
        next.pass(minutes: 10)
        #expect(next.changes == [])
        next.isSilent = false
        next.pass(minutes: 2)
        #expect(next.changes.map(\.isOver) == [true])
    }

    @Test("a clock that is set, forward or back, tells nothing about beacons")
    func clock() {
        var machine = Machine()
        machine.pass(minutes: 70)
        for step in [86_400.0, -90_000, 7200, -30, 600] {
            machine.seconds += step
            machine.pass(minutes: 3)
        }
        machine.pass(minutes: 20)
        #expect(machine.changes == [])
    }

    @Test("what cannot have been kept is refused or left out", arguments: [
        ("", true), ("{}", true), (#"{"format":2,"scanners":{},"problems":[]}"#, true),
        (#"{"format":1,"scanners":{},"problems":[{"uuid":"x"},7]}"#, false),
            (
                #"{"format":1,"scanners":{"a":{"age":1e300,"beacons":{"x":[[1]],"636f3f8f-6491-4bee-95f7-d8cc64a863b5":[[1,2,3],[]]}}},"problems":[]}"#,
                false
            ),
    ])
    func bad(text: String, isRefused: Bool) throws {
        guard !isRefused else {
            #expect(throws: FleetMessageError.self) { try HealthMemory(json: Array(text.utf8)) }
            return
        }
        let memory = try HealthMemory(json: Array(text.utf8))
        #expect(memory.health.isEmpty && memory.scanners.allSatisfy(\.receptions.isEmpty))
    }
}
