extension Scenario {
    /// A small museum: six exhibits along a corridor, 5.5 m apart. A visitor walks past them in 40 s, with a stop of
    /// three seconds at each, then walks back, and so on.
    package static let museum: Scenario = {
        do {
            return try Scenario(yaml: museumYAML, file: "museum")
        } catch {
            // A test reads the text, so a build that passed the tests cannot get here.
            assertionFailure("\(error)")
            return Scenario()
        }
    }()

    /// The text of `museum`, which is also a template for users' own scenarios.
    package static let museumYAML = """
        # A corridor with an exhibit every 5.5 m on one side. The visitor passes each at 1.2 m.
        seed: 1786
        propagation:
          exponent: 2.2
          shadowing_db: 2.5
          shadowing_distance_m: 2
          shadowing_time_s: 20
          fading_k_db: 6
          loss: 0.05
          sensitivity_dbm: -96
        beacons:
          - name: Steam Engine
            uuid: &museum 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096
            major: 1
            minor: 1
            measured_power: -59
            position: [0, 1.2]
          - name: Jacquard Loom
            uuid: *museum
            major: 1
            minor: 2
            measured_power: -59
            level_at_1m_dbm: -60.5
            position: [5.5, 1.2]
          - name: Whale Skeleton
            uuid: *museum
            major: 1
            minor: 3
            measured_power: -59
            level_at_1m_dbm: -58
            position: [11, 1.2]
          - name: Printing Press
            uuid: *museum
            major: 1
            minor: 4
            measured_power: -59
            position: [16.5, 1.2]
          - name: Star Globe
            uuid: *museum
            major: 1
            minor: 5
            measured_power: -59
            level_at_1m_dbm: -61
            position: [22, 1.2]
          - name: Telegraph
            uuid: *museum
            major: 1
            minor: 6
            measured_power: -59
            level_at_1m_dbm: -58.5
            position: [27.5, 1.2]
        visitor:
          speed_m_per_s: 1.25
          path:
            - {position: [0, 0], pause_s: 3}
            - {position: [5.5, 0], pause_s: 3}
            - {position: [11, 0], pause_s: 3}
            - {position: [16.5, 0], pause_s: 3}
            - {position: [22, 0], pause_s: 3}
            - {position: [27.5, 0], pause_s: 3}
        repeat: back_and_forth

        """
}
