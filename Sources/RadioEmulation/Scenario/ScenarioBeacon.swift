package import Beacon

/// A beacon of a scenario: it only sends, and needs no controller.
package struct ScenarioBeacon: Hashable, Sendable {
    /// What people call it; empty where nobody does.
    package var name: String
    /// What its iBeacon frame says; nil where it sends a payload that is none.
    package var identity: IBeacon?
    /// What it sends: AD structures, or anything else to try a scanner with. At most 31 octets.
    package var payload: [UInt8]
    /// The level in dBm that a receiver 1 m away really reads, whatever the frame claims.
    package var levelAtOneMetre: Double
    /// From one advertising event to the next, without the random delay.
    package var interval: Duration
    /// Where it hangs.
    package var position: Position
    /// Nil gives it a random static address, the same in every run with the same seed.
    package var address: DeviceAddress?
    /// Whether it takes private addresses, and how often a new one.
    package var rotation: AddressRotation
    /// Since the start of the emulation; nil is always.
    package var presence: Range<Duration>?

    /// An iBeacon.
    ///
    /// - Parameters:
    ///   - flags: the value of the Flags structure before the iBeacon's; nil leaves it out.
    ///   - levelAtOneMetre: nil is what the frame claims.
    package init(
        name: String = "", _ identity: IBeacon, flags: UInt8? = 0x1A, levelAtOneMetre: Double? = nil,
        interval: Duration = .milliseconds(100), position: Position, address: DeviceAddress? = nil,
        rotation: AddressRotation = .never, presence: Range<Duration>? = nil
    ) {
        self.init(
            name: name, payload: identity.advertisingData(flags: flags),
            levelAtOneMetre: levelAtOneMetre ?? Double(identity.measuredPower), interval: interval,
            position: position, address: address, rotation: rotation, presence: presence)
        self.identity = identity
    }

    /// A sender of anything.
    ///
    /// - Parameter payload: any octets; what is longer than 31 is cut.
    package init(
        name: String = "", payload: [UInt8], levelAtOneMetre: Double, interval: Duration = .milliseconds(100),
        position: Position, address: DeviceAddress? = nil, rotation: AddressRotation = .never,
        presence: Range<Duration>? = nil
    ) {
        self.name = name
        self.payload = Array(payload.prefix(31))
        self.levelAtOneMetre = levelAtOneMetre
        self.interval = interval
        self.position = position
        self.address = address
        self.rotation = rotation
        self.presence = presence
    }

    /// As a sender on the air.
    ///
    /// - Parameters:
    ///   - number: which of the scenario's beacons it is.
    ///   - seed: the scenario's.
    func transmitter(number: Int, seed: UInt64) -> Transmitter {
        var random = RandomSource(seed: seed, number, -2)
        return Transmitter(
            pdu: AdvertisingPDU(address: address ?? .staticAddress(&random), data: payload),
            interval: interval, levelAtOneMetre: levelAtOneMetre, motion: .fixed(position), presence: presence,
            rotation: rotation)
    }
}
