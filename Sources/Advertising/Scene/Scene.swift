package import Beacon
import Glibc
package import RadioEmulation

/// A script for beacons: who is on the air when, with what, and how strong. docs/scenes.md has every key.
///
/// It is played on real adapters, where beacons take turns if there are more of them than places, and on the emulated
/// air, where there is a place for each.
package struct Scene: Hashable, Sendable {
    /// The length of one pass.
    package var duration: Duration
    /// Whether it begins again after `duration`.
    package var isRepeated: Bool
    /// How long a beacon stays on the air where others wait for its place.
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

/// One beacon of a scene.
package struct SceneBeacon: Hashable, Sendable {
    /// Whose address it sends from.
    package enum Address: Hashable, Sendable {
        /// The adapter's own, public one.
        case adapter
        case fixed(DeviceAddress)
        /// A random one, and another so often; nil keeps the first.
        case random(every: Duration?)
    }

    /// For messages: its name, or what it sends.
    package var name: String
    package var content: SceneContent
    /// Milliseconds.
    package var interval: Double
    /// dBm; nil leaves it to the controller.
    package var transmitPower: Int8?
    package var address: Address
    /// Where it hangs on the emulated air.
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

/// What a beacon sends.
package enum SceneContent: Hashable, Sendable {
    /// An iBeacon; without Flags where they are nil.
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

/// Something that happens to a beacon in the course of a scene.
package struct SceneChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// It falls silent, or begins to send.
        case presence(Bool)
        /// From now on it sends something else.
        case content(SceneContent)
        /// dBm, at once or evenly over a time.
        case power(Int8, over: Duration)
        /// As a visitor would hear it who comes by.
        case walkPast(WalkPast)
        /// It takes another random address.
        case newAddress
    }

    /// Since the beginning.
    package var time: Duration
    package var kind: Kind

    package init(_ time: Duration, _ kind: Kind) {
        self.time = time
        self.kind = kind
    }
}

/// A visitor who comes from afar, passes a beacon, and goes away again, as the transmit power that a receiver at a
/// fixed place would have to hear.
package struct WalkPast: Hashable, Sendable {
    /// Metres: where the visitor begins and ends, and the distance when passing.
    package var from: Double
    package var closest: Double
    /// Metres a second.
    package var speed: Double

    /// Of the path loss, as on the emulated air.
    static let exponent = 2.2

    package init(from: Double, closest: Double, speed: Double) {
        self.from = from
        self.closest = closest
        self.speed = speed
    }

    private var half: Double { max(0, from * from - closest * closest).squareRoot() }

    package var duration: Duration { .microseconds(Int64(2 * half / speed * 1e6)) }

    /// dB below the level at the closest point; nil after the walk.
    func loss(at elapsed: Duration) -> Double {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let along = min(half, max(-half, speed * seconds - half))
        let distance = (closest * closest + along * along).squareRoot()
        return 10 * Self.exponent * log10(distance / closest)
    }
}
