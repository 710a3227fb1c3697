package import Beacon

/// A beacon of a scenario. It only sends, and needs no controller.
package struct ScenarioBeacon: Hashable, Sendable {
    /// Empty if it has no name.
    package var name: String
    /// The content of its iBeacon frame; nil if its payload is not an iBeacon.
    package var identity: IBeacon?
    /// What it sends: AD structures, or any octets to test a scanner with. At most 31 octets.
    package var payload: [UInt8]
    /// The true level in dBm at a receiver 1 m away, whatever the frame states.
    package var levelAtOneMetre: Double
    /// Time between advertising events, without the random delay.
    package var interval: Duration
    package var position: Position
    /// Nil for a random static address, which is the same in every run with the same seed.
    package var address: DeviceAddress?
    /// Whether it uses private addresses, and how often it takes a new one.
    package var rotation: AddressRotation
    /// The time on the air, since the start of the emulation; nil for always.
    package var presence: Range<Duration>?

    /// An iBeacon.
    ///
    /// - Parameters:
    ///   - flags: the value of the Flags structure before the iBeacon; nil for no such structure.
    ///   - levelAtOneMetre: nil for the level that the frame states.
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

    /// A beacon with any payload.
    ///
    /// - Parameter payload: any octets; cut after 31.
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

    /// The beacon as a transmitter on the air.
    ///
    /// - Parameters:
    ///   - number: the beacon's number in the scenario.
    ///   - seed: the scenario's seed.
    func transmitter(number: Int, seed: UInt64) -> Transmitter {
        var random = RandomSource(seed: seed, number, -2)
        return Transmitter(
            pdu: AdvertisingPDU(address: address ?? .staticAddress(&random), data: payload),
            interval: interval, levelAtOneMetre: levelAtOneMetre, motion: .fixed(position), presence: presence,
            rotation: rotation)
    }
}
