package import Beacon
package import HCI

/// What one advertising set sends, or the single advertisement of a controller with legacy commands.
package struct Broadcast: Hashable, Sendable {
    /// The advertising payload, at most 31 octets.
    package var data: [UInt8]
    /// Whether the own address is random follows from `address`.
    package var parameters: AdvertisingParameters {
        didSet { parameters.ownAddressIsRandom = address != nil }
    }
    /// A random address for it alone; nil is the controller's public one.
    package var address: DeviceAddress? {
        didSet { parameters.ownAddressIsRandom = address != nil }
    }

    package init(
        data: [UInt8], parameters: AdvertisingParameters = AdvertisingParameters(), address: DeviceAddress? = nil
    ) {
        self.data = data
        self.address = address
        self.parameters = parameters
        self.parameters.ownAddressIsRandom = address != nil
    }
}

/// The advertising sets that an advertiser may use.
package struct AdvertisingSets: Hashable, Sendable {
    /// In the order of their use. With legacy commands the first stands for the only advertisement there is.
    package var handles: [AdvertisingHandle]
    /// Sets that nobody uses any more and that may still be on the air: what a killed program left behind.
    package var leftovers: [AdvertisingHandle]
    /// Whether another program of this kind came first, so that a controller with one advertisement has none left.
    package var isFirstTaken: Bool

    package init(handles: [AdvertisingHandle], leftovers: [AdvertisingHandle] = [], isFirstTaken: Bool = false) {
        self.handles = handles
        self.leftovers = leftovers
        self.isFirstTaken = isFirstTaken
    }

    /// The first sets of a controller that nobody else uses.
    package static func own(_ count: Int = 1) -> AdvertisingSets {
        AdvertisingSets(handles: (0..<UInt8(clamping: min(max(1, count), 0xF0))).map(AdvertisingHandle.init))
    }
}
