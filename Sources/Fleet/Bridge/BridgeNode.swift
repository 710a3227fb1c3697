import Beacon
import FleetFormat
import Rooms
import Text

/// A scanner of another project (ESPresense, ESPHome), as a bridge publishes it.
struct BridgeNode: Sendable {
    enum State: Hashable, Sendable {
        case listening
        /// It is connected, but cannot receive.
        case blind(String)
        /// It is not connected.
        case gone(String)
    }

    /// The maximum number of sightings that wait for the end of their second. More are dropped.
    static let mostWaiting = 10_000

    let place: ScannerPlace
    /// What it is and how it is reached: `esphome:10.0.0.7:6053`.
    let source: String
    var version: String?
    private(set) var state: State
    private(set) var since: Timestamp
    private var seconds = LevelSeconds()
    private var waiting: [Sighting] = []
    /// The last reading of each beacon, for nodes that send a reading only when it changes.
    private var latest: [BeaconID: Sighting] = [:]
    private let hold: Double

    /// - Parameter hold: seconds for which a reading is repeated; 0 if the node reports every advertisement.
    init(_ place: ScannerPlace, source: String, hold: Double, state: State, at time: Timestamp) {
        self.place = place
        self.source = source
        self.hold = hold
        self.state = state
        since = time
    }

    /// - Returns: whether the state has changed.
    mutating func change(_ new: State, at time: Timestamp) -> Bool {
        guard new != state else { return false }
        if new.kind != state.kind { since = time }
        state = new
        if case .gone = new { (waiting, latest, seconds) = ([], [:], LevelSeconds()) }
        return true
    }

    mutating func hear(_ sightings: [Sighting]) {
        for sighting in sightings where waiting.count < Self.mostWaiting {
            waiting.append(sighting)
            if hold > 0, latest[sighting.beacon.id] != nil || latest.count < LevelsMessage.mostRows {
                latest[sighting.beacon.id] = sighting
            }
        }
    }

    /// Once a second.
    mutating func take(at time: Timestamp, clock: Int?) -> [LevelsMessage] {
        if case .gone = state { return [] }
        if hold > 0 {
            latest = latest.filter { $0.value.time.map { time.seconds(since: $0) <= hold } ?? false }
            let heard = Set(waiting.map(\.beacon.id))
            waiting += latest.values.filter { !heard.contains($0.beacon.id) }
        }
        defer { waiting = [] }
        return seconds.take(waiting, at: time, clock: clock, isBlind: state != .listening)
    }

    var isOnline: Bool {
        if case .gone = state { false } else { true }
    }

    /// The same state message as a daemon's, with the bridge's name.
    func json(bridge: String, clock: FleetClock.State, at time: Timestamp) -> String {
        let (isListening, detail) = (state == .listening, state.detail)
        var json = JSONText()
        json.object { json in
            json.value("time", time.rfc3339)
            json.value("scanner", isListening ? "ok" : "blind")
            json.array("sources") { json in
                json.object { json in
                    json.value("source", source)
                    json.value("state", isListening ? "listening" : "lost")
                    json.value("detail", detail)
                    json.value("since", since.rfc3339)
                }
            }
            json.value("room", place.room)
            json.value("floor", place.floor)
            json.value("x", place.position?.x, digits: 2)
            json.value("y", place.position?.y, digits: 2)
            json.value("version", version)
            json.value("revision", Int?.none)
            json.value("blind_since", isListening ? nil : since.rfc3339)
            json.value("clock_ms", clock.milliseconds)
            json.truth("clock_synchronised", clock.isSynchronised)
            json.value("bridge", bridge)
        }
        return json.text
    }
}

extension BridgeNode.State {
    var detail: String {
        switch self {
        case .listening: ""
        case .blind(let detail), .gone(let detail): detail
        }
    }

    fileprivate var kind: Int {
        switch self {
        case .listening: 0
        case .blind: 1
        case .gone: 2
        }
    }
}
