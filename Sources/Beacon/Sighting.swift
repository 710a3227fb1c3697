/// One iBeacon, received once: what passes from the radio side to ranging, and a line of `beaconctl sightings`.
public struct Sighting: Hashable, Sendable {
    /// When it was received, by the source's clock; nil if the source has none (hcidump text).
    public var time: Timestamp?
    /// The source that received it.
    public var source: SourceID
    /// The sender's address; nil if it is anonymous, or if the source does not have it (observation CSV).
    public var address: DeviceAddress?
    public var addressType: AddressType
    /// The report's event type field, legacy or extended; nil if the source does not have it.
    public var eventType: UInt16?
    /// dBm; nil if the controller reported "not available" (127).
    public var rssi: Int8?
    public var beacon: IBeacon

    @inlinable
    public init(
        time: Timestamp?, source: SourceID = 0, address: DeviceAddress? = nil, addressType: AddressType = .public,
        eventType: UInt16? = nil, rssi: Int8?, beacon: IBeacon
    ) {
        self.time = time
        self.source = source
        self.address = address
        self.addressType = addressType
        self.eventType = eventType
        self.rssi = rssi
        self.beacon = beacon
    }
}
