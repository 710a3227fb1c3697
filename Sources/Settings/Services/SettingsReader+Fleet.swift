import Beacon
import Text

extension SettingsReader {
    /// Where this scanner stands; nil where nobody has said it, or where something is wrong, which is then noted.
    package mutating func fleetPlace() -> FleetPlace? {
        let position = fleetPosition()
        guard let room = values.fleet.room else {
            if values.fleet.position != [] {
                complain(\.fleet.position, "a position is in a room", remedy: "set fleet.room, too")
            }
            if values.fleet.isBeacon {
                complain(
                    \.fleet.isBeacon, "a scanner's beacon marks the place of the scanner", remedy: "set fleet.room, too"
                )
            }
            return nil
        }
        if let problem = PlaceName.problem(room) {
            complain(\.fleet.room, "a room's name \(problem)")
            return nil
        }
        if values.mqtt.url == nil {
            complain(\.fleet.room, "a fleet meets at a broker, and none is configured", remedy: "set mqtt.url")
        }
        if values.ranging.interval > 1 {
            complain(
                \.ranging.interval, "a scanner of a fleet publishes each second what it receives",
                remedy: "set ranging.interval_s to 1 or less")
        }
        return FleetPlace(room: room, floor: values.fleet.floor, position: position, beacon: fleetBeacon())
    }

    private mutating func fleetBeacon() -> BeaconID? {
        guard let text = values.fleet.beaconID else {
            let host = Topics.level(values.mqtt.host ?? Self.machineName)
            return values.fleet.isBeacon ? FleetBeacon.identity(of: host) : nil
        }
        guard let key = BeaconKey(text), key.uuid == nil else {
            complain(
                \.fleet.beaconID, "\"\(excerpt(text))\" is not MAJOR.MINOR",
                remedy: "write two numbers up to 65535, as in 1.7")
            return nil
        }
        guard values.fleet.isBeacon else { return nil }
        return BeaconID(uuid: FleetBeacon.uuid, major: key.major, minor: key.minor)
    }

    private mutating func fleetPosition() -> [Double]? {
        let texts = values.fleet.position
        guard !texts.isEmpty else { return nil }
        let numbers = texts.compactMap(Double.init).filter { (-10_000...10_000).contains($0) }
        guard texts.count == 2, numbers.count == 2 else {
            complain(\.fleet.position, "two numbers are needed, in metres, as in [3.5, 2]")
            return nil
        }
        return numbers
    }
}
