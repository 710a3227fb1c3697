import Beacon
package import Listening
import Radio
package import RadioEmulation

/// One controller that a scene is played with.
package struct SceneStage: Sendable {
    /// For messages.
    package var name: String
    let transport: any Transport
    let claim: AdvertisingClaim?
    let sets: AdvertisingSets

    /// A real adapter, or a controller behind H4.
    ///
    /// - Parameter beacons: how many there are to be shown at most.
    /// Throws `badSource` for what is no controller, and `refused` where too many use it already.
    package init(_ source: SourceSpec, beacons: Int, airs: Airs) async throws {
        name = source.description
        transport = try airs.transport(to: source)
        claim = try await source.claim(beacons)
        sets = claim?.sets ?? .own(beacons)
    }

    private init(name: String, transport: any Transport) {
        self.name = name
        self.transport = transport
        claim = nil
        sets = .own()
    }

    /// For the emulated air: a controller for each beacon, at the beacon's place, so that all are on the air at once. A
    /// receiver 1 m away reads a beacon's measured power while it sends with the power that it begins with.
    package static func emulated(_ scene: Scene, on air: EmulatedAir) -> [SceneStage] {
        scene.beacons.map { beacon in
            let powers = [beacon.transmitPower].compactMap { $0 } + beacon.script.compactMap(\.power)
            let greatest = powers.max() ?? 8
            let usual = beacon.transmitPower ?? (powers.isEmpty ? greatest : SceneBeacon.assumedPower)
            var profile = ControllerProfile.bluetooth5
            profile.greatestTransmitPower = max(greatest, usual)
            profile.levelAtOneMetre =
                Double(beacon.content.measuredPower) + Double(profile.greatestTransmitPower) - Double(usual)
            return SceneStage(
                name: beacon.name,
                transport: EmulatedTransport(air, profile: profile, motion: .fixed(beacon.position)))
        }
    }
}

extension SceneContent {
    /// What an iBeacon's frame claims.
    fileprivate var measuredPower: Int8 {
        switch self {
        case .identity(let beacon, _): beacon.measuredPower
        case .payload: -59
        }
    }
}

extension SceneChange {
    fileprivate var power: Int8? {
        if case .power(let power, _) = kind { power } else { nil }
    }
}
