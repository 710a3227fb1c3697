import Beacon
package import Listening
import Radio
package import RadioEmulation

/// One controller on which a scene is played.
package struct SceneStage: Sendable {
    /// For messages.
    package var name: String
    let transport: any Transport
    let claim: AdvertisingClaim?
    let sets: AdvertisingSets

    /// A real adapter, or a controller behind H4.
    ///
    /// - Parameter beacons: the most beacons to show at a time.
    /// - Throws: `badSource` for a source that is not a controller, and `refused` if too many programs already use it.
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

    /// For the emulated air: one controller for each beacon, at the beacon's position, so that all can be on the air at
    /// once. At its initial transmit power, the level 1 m away is the beacon's measured power.
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
    /// The measured power that the frame states.
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
