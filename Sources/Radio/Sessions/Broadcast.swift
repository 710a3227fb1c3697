public import Beacon
public import HCI

/// What one advertising set sends, or the single advertisement of a controller with legacy commands.
public struct Broadcast: Hashable, Sendable {
    /// The advertising payload, at most 31 octets.
    public var data: [UInt8]
    /// Whether the own address is random follows from `address`.
    public var parameters: AdvertisingParameters {
        didSet { parameters.ownAddressIsRandom = address != nil }
    }
    /// A random address for it alone; nil is the controller's public one.
    public var address: DeviceAddress? {
        didSet { parameters.ownAddressIsRandom = address != nil }
    }

    public init(
        data: [UInt8], parameters: AdvertisingParameters = AdvertisingParameters(), address: DeviceAddress? = nil
    ) {
        self.data = data
        self.address = address
        self.parameters = parameters
        self.parameters.ownAddressIsRandom = address != nil
    }
}

/// The advertising sets that an advertiser may use.
public struct AdvertisingSets: Hashable, Sendable {
    /// In the order of their use. With legacy commands the first stands for the only advertisement there is.
    public var handles: [AdvertisingHandle]
    /// Sets that nobody uses any more and that may still be on the air: what a killed program left behind.
    public var leftovers: [AdvertisingHandle]
    /// Whether another program of this kind came first, so that a controller with one advertisement has none left.
    public var isFirstTaken: Bool

    public init(handles: [AdvertisingHandle], leftovers: [AdvertisingHandle] = [], isFirstTaken: Bool = false) {
        self.handles = handles
        self.leftovers = leftovers
        self.isFirstTaken = isFirstTaken
    }

    /// The first sets of a controller that nobody else uses.
    public static func own(_ count: Int = 1) -> AdvertisingSets {
        AdvertisingSets(handles: (0..<UInt8(clamping: min(max(1, count), 0xF0))).map(AdvertisingHandle.init))
    }
}
