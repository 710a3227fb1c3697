/// An advertiser on the air: a virtual controller's advertisement, or a beacon without a controller.
package struct Transmitter: Hashable, Sendable {
    package var pdu: AdvertisingPDU
    /// Time between advertising events, without the random delay of 0 to 10 ms that the specification adds.
    package var interval: Duration
    /// The level in dBm at a receiver 1 m away.
    package var levelAtOneMetre: Double
    package var motion: Motion
    /// When it is on the air.
    package var presence: Range<Duration>
    package var rotation: AddressRotation

    /// - Parameters:
    ///   - interval: raised to 1 ms if it is shorter.
    ///   - presence: nil for always.
    package init(
        pdu: AdvertisingPDU, interval: Duration, levelAtOneMetre: Double, motion: Motion,
        presence: Range<Duration>? = nil, rotation: AddressRotation = .never
    ) {
        self.pdu = pdu
        self.interval = max(.milliseconds(1), interval)
        self.levelAtOneMetre = levelAtOneMetre
        self.motion = motion
        self.presence = presence ?? .zero..<Self.forever
        self.rotation = rotation
    }

    /// Later than the end of any emulation.
    static let forever = Duration.seconds(1_000_000_000)
}

/// How often a transmitter takes a new private address. Core Specification Vol 6, Part B, 1.3.2.
package enum AddressRotation: Hashable, Sendable {
    case never
    case everyPacket
    case every(Duration)
}

package struct TransmitterID: Hashable, Sendable {
    let number: Int
}

package struct ReceiverID: Hashable, Sendable {
    let number: Int
}
