import Fleet
import Health
package import PrometheusMetrics
import Rooms

extension Metric {
    static let fleetBeacons = Metric(
        "beacond_fleet_beacons", .gauge, "Beacons in a room.", labels: ["room", "floor"])
    static let fleetUnknown = Metric(
        "beacond_fleet_unknown", .gauge, "Beacons whose room is unknown, by the reason.", labels: ["reason"])
    static let fleetScanners = Metric("beacond_fleet_scanners", .gauge, "Scanners by their state.", labels: ["state"])
    static let fleetProblems = Metric(
        "beacond_fleet_problems", .gauge, "Beacons with a problem, by its kind.", labels: ["problem"])
    static let fleetMessages = Metric(
        "beacond_fleet_messages_total", .counter, "Messages of the broker that were read.")
    static let fleetUnreadable = Metric(
        "beacond_fleet_unreadable_total", .counter, "Messages of the broker that could not be read.")
    static let fleetLate = Metric(
        "beacond_fleet_late_total", .counter, "Scanners' seconds that arrived after that second was resolved.")
    static let fleetLag = Metric(
        "beacond_fleet_lag_seconds", .gauge, "Seconds between the clock and the last resolved second.")
    static let fleetConnected = Metric("beacond_fleet_connected", .gauge, "1 while the broker is connected.")
    static let fleetAnswering = Metric(
        "beacond_fleet_answering", .gauge, "1 while this resolver publishes; 0 while it learns beside another one.")

    package static let fleet = [
        fleetBeacons, fleetUnknown, fleetScanners, fleetProblems, fleetMessages, fleetUnreadable, fleetLate, fleetLag,
        fleetConnected,
        fleetAnswering,
    ]
}

extension MetricRegistry {
    /// Collects what the hub knows at each scrape.
    func add(_ hub: FleetHub) {
        add { set in
            guard let snapshot = hub.snapshot else { return set.set(.fleetConnected, to: 0) }
            write(snapshot, into: &set)
        }
    }
}

/// There is no series for each beacon: anybody can send any number of them.
private func write(_ snapshot: FleetSnapshot, into set: inout MetricSet) {
    var rooms: [RoomMap.Room: Int] = [:]
    for scanner in snapshot.scanners {
        rooms[RoomMap.Room(name: scanner.place.room, floor: scanner.place.floor)] = 0
    }
    var unknown: [RoomAnswer.Unknown: Int] = [.notHeard: 0, .blind: 0, .undecided: 0]
    for answer in snapshot.rooms {
        if let room = answer.room {
            rooms[room, default: 0] += 1
        } else {
            unknown[answer.unknown ?? .undecided, default: 0] += 1
        }
    }
    for (room, count) in rooms {
        set.set(
            .fleetBeacons, [MetricLabel("room", room.name), MetricLabel("floor", "\(room.floor)")], to: Double(count))
    }
    for (reason, count) in unknown {
        set.set(.fleetUnknown, [MetricLabel("reason", reason.rawValue)], to: Double(count))
    }
    for state in FleetScanner.State.allCases {
        let count = snapshot.scanners.count { $0.state == state }
        set.set(.fleetScanners, [MetricLabel("state", state.rawValue)], to: Double(count))
    }
    let problems = snapshot.health.flatMap(\.problems)
    for kind in HealthProblem.Kind.allCases {
        let count = problems.count { $0.kind == kind }
        set.set(.fleetProblems, [MetricLabel("problem", kind.rawValue)], to: Double(count))
    }
    set.set(.fleetMessages, to: Double(snapshot.counts.messages))
    set.set(.fleetUnreadable, to: Double(snapshot.counts.unreadable))
    set.set(.fleetLate, to: Double(snapshot.counts.late))
    if let lag = snapshot.lag { set.set(.fleetLag, to: lag) }
    set.set(.fleetConnected, to: snapshot.isConnected ? 1 : 0)
    set.set(.fleetAnswering, to: snapshot.isAnswering ? 1 : 0)
}
