package import Beacon
import HCI
package import Listening
package import Radio

/// One beacon, and how it is advertised.
package struct BeaconSettings: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// By HCI commands to the controller.
        case hci
        /// Through bluetoothd.
        case bluez
    }

    package var beacon: IBeacon
    /// Time between two advertisements in milliseconds, within `intervals`.
    package var interval: Double
    package var source: SourceSpec
    package var mode: Mode
    /// Sends exactly the commands of the Raspberry Pi guides' hciconfig and hcitool lines.
    package var followsGuides = false

    /// Core Specification Vol 4, Part E, 7.8.5: 20 ms to 10.24 s.
    package static let intervals = 20.0...10_240.0
    /// The beacon of the Raspberry Pi guides.
    package static let recipe = IBeacon(
        id: BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 0, minor: 0),
        measuredPower: -56)
    /// In milliseconds: the interval that Apple requires for iBeacons.
    package static let defaultInterval = 100.0
    package static let defaultSource = "hci0"

    package init(
        _ beacon: IBeacon = recipe, interval: Double = defaultInterval, source: SourceSpec, mode: Mode = .hci
    ) {
        self.beacon = beacon
        self.interval = interval
        self.source = source
        self.mode = mode
    }

    package var broadcast: Broadcast {
        Broadcast(data: beacon.advertisingData(), parameters: Self.parameters(interval: interval))
    }

    /// - Parameter interval: milliseconds.
    static func parameters(interval: Double, transmitPower: Int8? = nil) -> AdvertisingParameters {
        let units = UInt16(max(0x20, min(0x4000, (interval / 0.625).rounded())))
        return AdvertisingParameters(minimumInterval: units, maximumInterval: units, transmitPower: transmitPower)
    }
}
