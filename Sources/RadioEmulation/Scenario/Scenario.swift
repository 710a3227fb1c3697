package import Beacon

/// Beacons in a room, a visitor who walks through it, and the radio propagation there.
///
/// In YAML (only `beacons` is required; the values shown are the defaults or an example):
///
///     seed: 1                          # the same seed gives the same run
///     propagation:
///       exponent: 2.2                  # of the path loss
///       shadowing_db: 2.5              # slow, by people and walls
///       shadowing_distance_m: 2
///       shadowing_time_s: 20
///       fading_k_db: 6                 # fast, Rician K factor; or none
///       loss: 0.05                     # share of packets
///       sensitivity_dbm: -96
///     beacons:
///       - name: Steam Engine
///         uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096
///         major: 1
///         minor: 1
///         measured_power: -59          # what the frame claims
///         level_at_1m_dbm: -59         # what is true; else what the frame claims
///         interval_ms: 100
///         position: [0, 1.2]           # metres; a third number is the height
///         address: c0:be:ac:00:00:01   # else a random static one
///         address_rotation_s: 900      # a new private address so often; 0 for every packet
///         from_s: 0                    # when it is there, since the start
///         until_s: 60
///         flags: 0x1A                  # or none
///       - payload: 02 01 1A 02 FF      # any octets, well formed or not, instead of uuid, major, minor, flags
///         position: [3, 1.2]
///     visitor:
///       speed_m_per_s: 1.25            # between places that have no time or speed of their own
///       path:
///         - position: [0, 0]
///           pause_s: 3                 # how long the visitor stays there
///         - position: [5.5, 0]
///           at_s: 8                    # when the visitor arrives; or speed_m_per_s: on the way there
///     duration_s: 40                   # of one walk; else that of the path, or 60 where nobody walks
///     repeat: back_and_forth           # or from_start, stay: what follows the first walk
package struct Scenario: Hashable, Sendable {
    /// The seed of all random numbers.
    package var seed: UInt64
    package var propagation: Propagation
    /// In the order of the file.
    package var beacons: [ScenarioBeacon]
    /// The position of all receivers that have none of their own.
    package var visitor: Motion

    /// The default is an empty room with a visitor at the origin.
    package init(
        seed: UInt64 = 1, propagation: Propagation = Propagation(), beacons: [ScenarioBeacon] = [],
        visitor: Motion = .fixed(Position(0, 0))
    ) {
        self.seed = seed
        self.propagation = propagation
        self.beacons = beacons
        self.visitor = visitor
    }

    /// The length of one walk; a minute if nobody walks and the file gives no duration.
    package var duration: Duration { visitor.duration > .zero ? visitor.duration : .seconds(60) }

    /// The names of the beacons that have one. If two have the same identity, the first one counts.
    package var names: [BeaconID: String] {
        Dictionary(
            beacons.compactMap { beacon in
                beacon.name.isEmpty ? nil : beacon.identity.map { ($0.id, beacon.name) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The same with path loss only.
    package var withoutNoise: Scenario {
        var scenario = self
        scenario.propagation = propagation.withoutNoise
        return scenario
    }
}
