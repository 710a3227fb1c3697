package import Beacon
import Glibc
package import RadioEmulation

/// A script for beacons: when each one is on the air, with which content and power. docs/scenes.md has every key.
///
/// On real adapters, beacons take turns if there are more of them than places. On the emulated air there is a place for
/// each.
package struct Scene: Hashable, Sendable {
    /// The length of one pass.
    package var duration: Duration
    /// Whether it starts again after `duration`.
    package var isRepeated: Bool
    /// How long a beacon stays on the air if others wait.
    package var turn: Duration
    /// In the order of the file; at least one.
    package var beacons: [SceneBeacon]

    package init(
        duration: Duration, isRepeated: Bool = false, turn: Duration = .seconds(2), beacons: [SceneBeacon]
    ) {
        self.duration = duration
        self.isRepeated = isRepeated
        self.turn = turn
        self.beacons = beacons
    }
}

package struct SceneBeacon: Hashable, Sendable {
    /// The address that it sends from.
    package enum Address: Hashable, Sendable {
        /// The adapter's own public address.
        case adapter
        case fixed(DeviceAddress)
        /// A random address that changes after this time; nil for no change.
        case random(every: Duration?)
    }

    /// For messages: its name, or what it sends.
    package var name: String
    package var content: SceneContent
    /// Milliseconds.
    package var interval: Double
    /// dBm; nil lets the controller choose.
    package var transmitPower: Int8?
    package var address: Address
    /// The position on the emulated air.
    package var position: Position
    /// In the order of time.
    package var script: [SceneChange]

    package init(
        name: String, _ content: SceneContent, interval: Double = BeaconSettings.defaultInterval,
        transmitPower: Int8? = nil, address: Address = .adapter, position: Position = Position(1, 0),
        script: [SceneChange] = []
    ) {
        self.name = name
        self.content = content
        self.interval = interval
        self.transmitPower = transmitPower
        self.address = address
        self.position = position
        self.script = script
    }
}

package enum SceneContent: Hashable, Sendable {
    /// An iBeacon; nil `flags` for no Flags structure.
    case identity(IBeacon, flags: UInt8?)
    /// At most 31 octets, well formed or not.
    case payload([UInt8])

    package var data: [UInt8] {
        switch self {
        case .identity(let beacon, let flags): beacon.advertisingData(flags: flags)
        case .payload(let octets): octets
        }
    }
}

/// A change of a beacon during a scene.
package struct SceneChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It starts or stops sending.
        case presence(Bool)
        /// It sends something else from now on.
        case content(SceneContent)
        /// The power changes to this value in dBm, at once or gradually over a time.
        case power(Int8, over: Duration)
        /// The power changes as if a visitor walked past.
        case walkPast(WalkPast)
        /// It takes another random address.
        case newAddress
    }

    /// Since the start.
    package var time: Duration
    package var kind: Kind

    package init(_ time: Duration, _ kind: Kind) {
        self.time = time
        self.kind = kind
    }
}

/// A visitor who comes from far away, passes a beacon, and walks away again. A receiver at a fixed position gets the
/// same levels by changes of transmit power.
package struct WalkPast: Hashable, Sendable {
    /// Metres: the distance at the start and the end, and the shortest distance.
    package var from: Double
    package var closest: Double
    /// Metres per second.
    package var speed: Double

    /// The path-loss exponent, as on the emulated air.
    static let exponent = 2.2

    package init(from: Double, closest: Double, speed: Double) {
        self.from = from
        self.closest = closest
        self.speed = speed
    }

    private var half: Double { max(0, from * from - closest * closest).squareRoot() }

    package var duration: Duration { .microseconds(Int64(2 * half / speed * 1e6)) }

    /// dB below the level at the closest point. Before and after the walk, it is the loss at its ends.
    func loss(at elapsed: Duration) -> Double {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let along = min(half, max(-half, speed * seconds - half))
        let distance = (closest * closest + along * along).squareRoot()
        return 10 * Self.exponent * log10(distance / closest)
    }
}
