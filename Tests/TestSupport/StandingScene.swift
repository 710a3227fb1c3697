/// A scenario of the emulated air: a visitor who stands at one place.
package enum StandingScene {
    /// - Parameter beacons: an entry each, as in a scenario's list.
    package static func yaml(_ beacons: [String]) -> String {
        """
        seed: 11
        beacons:
        \(beacons.joined(separator: "\n"))
        visitor:
          speed_m_per_s: 1
          path:
            - {position: [0, 0], pause_s: 600}
            - {position: [0, 0.1], pause_s: 600}
        repeat: back_and_forth

        """
    }

    /// One beacon, a metre away.
    package static func yaml(near uuid: String) -> String {
        yaml(["  - {uuid: \(uuid), major: 1, minor: 1, measured_power: -59, position: [1, 0]}"])
    }
}
