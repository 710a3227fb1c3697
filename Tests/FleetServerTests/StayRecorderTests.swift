import Beacon
import Fleet
import FleetServer
import Reports
import Rooms
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)

private func snapshot(_ second: Int64, _ room: String?, since: Int64) -> FleetSnapshot {
    let room = room.map { RoomMap.Room(name: $0, floor: 0) }
    return FleetSnapshot(
        time: Timestamp(seconds: Double(second)), second: second,
        rooms: [
            RoomAnswer(
                beacon: beacon, room: room, unknown: room == nil ? .blind : nil, probability: 0.9, since: since)
        ])
}

@Suite struct StayRecorderTests {
    private func told(_ stays: [RoomStay]) -> [String] {
        stays.map { "\($0.room.name) \(Int($0.span.lowerBound.seconds))-\(Int($0.span.upperBound.seconds))" }
    }

    @Test("a stay begins with its answer, goes on, and ends with the next")
    func stays() {
        var recorder = StayRecorder()
        recorder.take(snapshot(110, "Hall", since: 100))
        #expect(told(recorder.due()) == ["Hall 100-110"])
        recorder.take(snapshot(120, "Hall", since: 100))
        recorder.take(snapshot(131, "Shop", since: 130))
        #expect(told(recorder.due()) == ["Hall 100-120", "Shop 130-131"])
        recorder.take(snapshot(140, nil, since: 135))
        #expect(told(recorder.due()) == ["Shop 130-131"])
        recorder.take(snapshot(150, nil, since: 135))
        #expect(told(recorder.due()) == [])
    }

    @Test("a beacon that is forgotten, or an answer of the future, is no stay that goes on")
    func ends() {
        var recorder = StayRecorder()
        recorder.take(snapshot(110, "Hall", since: 100))
        recorder.take(FleetSnapshot(time: Timestamp(seconds: 120), second: 120))
        recorder.take(snapshot(130, "Hall", since: 500))
        #expect(told(recorder.due()) == ["Hall 100-110"])
    }

    @Test("without the broker, and while a resolver learns, nothing goes on", arguments: [true, false])
    func unsure(isConnected: Bool) {
        var recorder = StayRecorder()
        recorder.take(snapshot(110, "Hall", since: 100))
        var unsure = snapshot(200, "Hall", since: 100)
        unsure.isConnected = isConnected
        unsure.isAnswering = !isConnected
        recorder.take(unsure)
        #expect(told(recorder.due()) == ["Hall 100-110"])
    }

    @Test("after a pause a stay goes on only if the beacon is still received", arguments: [true, false])
    func pause(isReceived: Bool) {
        var recorder = StayRecorder()
        recorder.take(snapshot(110, "Hall", since: 100))
        // The broker was away, or the resolver: an hour later it repeats what was, for ten seconds.
        recorder.take(snapshot(3700, "Hall", since: 100))
        recorder.take(snapshot(3709, "Hall", since: 100))
        #expect(told(recorder.due()) == ["Hall 100-110"])
        recorder.take(isReceived ? snapshot(3710, "Hall", since: 100) : snapshot(3710, nil, since: 3710))
        recorder.take(isReceived ? snapshot(3720, "Hall", since: 100) : snapshot(3720, nil, since: 3710))
        #expect(told(recorder.due()) == (isReceived ? ["Hall 100-3720"] : []))
    }

    @Test("a restarted resolver does not lengthen the stay of a beacon that has gone meanwhile")
    func restart() {
        var recorder = StayRecorder()
        recorder.take(snapshot(3700, "Hall", since: 100))
        recorder.take(snapshot(3710, "Shop", since: 3709))
        recorder.take(snapshot(3720, "Shop", since: 3709))
        #expect(told(recorder.due()) == ["Shop 3709-3720"])
    }

    @Test("what could not be written waits, the newest of too many")
    func failure() {
        var recorder = StayRecorder()
        recorder.take(snapshot(110, "Hall", since: 100))
        recorder.take(snapshot(131, "Shop", since: 130))
        recorder.putBack(recorder.due())
        #expect(told(recorder.due()) == ["Hall 100-110", "Shop 130-131"])
        // One of them is that which goes on.
        let many = (0...StayRecorder.mostWaiting + 1).map { index in
            let time = Timestamp(seconds: Double(index))
            return RoomStay(beacon: beacon, room: ReportedRoom(name: "\(index)", floor: 0), span: time...time)
        }
        recorder.putBack(many)
        let lost = (recorder.takeLost(), recorder.takeLost())
        #expect(lost == (1, 0))
        #expect(recorder.due().first?.room.name == "1")
    }
}
