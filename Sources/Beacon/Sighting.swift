/// One iBeacon heard once: what passes from the radio side to ranging, and a line of `beaconctl sightings`.
public struct Sighting: Hashable, Sendable {
    /// When it was heard, by the source's clock; nil where the source has none (hcidump text).
    public var time: Timestamp?
    /// Which source heard it.
    public var source: SourceID
    /// The sender's address; nil where it is anonymous, or the source does not tell (observation CSV).
    public var address: DeviceAddress?
    public var addressType: AddressType
    /// The number in the report's event type field, legacy or extended; nil where the source does not tell.
    public var eventType: UInt16?
    /// dBm; nil where the controller answered "not available" (127).
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
