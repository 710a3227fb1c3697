import Beacon
import TestSupport

/// Short walks, where the museum's 40 s would be too long.
enum Scenarios {
    static let uuid = "5d3ab1f0-7c1e-4d8e-9a55-0b6f2c417e93"

    static func beacon(_ minor: Int) throws -> BeaconID {
        guard let uuid = ProximityUUID(uuid) else {
            throw RunningProgram.Failure(description: "the scenario's UUID is wrong")
        }
        return BeaconID(uuid: uuid, major: 1, minor: UInt16(minor))
    }

    /// A visitor stands `seconds` in front of each of the exhibits, which are far apart.
    static func walkPast(seconds: Int, exhibits: Int) -> String {
        let places = (1...exhibits).map { index in
            """
              - name: Exhibit \(index)
                uuid: \(uuid)
                major: 1
                minor: \(index)
                measured_power: -59
                position: [\(15 * (index - 1)), 1]
            """
        }
        let stops = (1...exhibits).map { "    - {position: [\(15 * ($0 - 1)), 0], pause_s: \(seconds)}" }
        return """
            seed: 7
            beacons:
            \(places.joined(separator: "\n"))
            visitor:
              speed_m_per_s: 8
              path:
            \(stops.joined(separator: "\n"))
            repeat: back_and_forth

            """
    }
}
