/// Something that advertises: a virtual controller's advertisement, or a beacon that has no controller.
package struct Transmitter: Hashable, Sendable {
    /// What it sends.
    package var pdu: AdvertisingPDU
    /// From one advertising event to the next, before the random delay of 0 to 10 ms that the specification adds.
    package var interval: Duration
    /// The level in dBm that a receiver 1 m away reads.
    package var levelAtOneMetre: Double
    /// Where it is.
    package var motion: Motion
    /// When it is there: nothing is sent before and after.
    package var presence: Range<Duration>
    /// How often it changes its address.
    package var rotation: AddressRotation

    /// - Parameters:
    ///   - interval: at least 1 ms is used.
    ///   - presence: nil is always.
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

    /// Later than any emulation lasts.
    static let forever = Duration.seconds(1_000_000_000)
}

/// How often a sender takes a new private address. Core Specification Vol 6, Part B, 1.3.2.
package enum AddressRotation: Hashable, Sendable {
    case never
    case everyPacket
    case every(Duration)
}

/// A transmitter on an air.
package struct TransmitterID: Hashable, Sendable {
    let number: Int
}

/// A receiver on an air.
package struct ReceiverID: Hashable, Sendable {
    let number: Int
}
