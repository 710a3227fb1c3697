package import Beacon
package import HCI

/// What one advertising set sends, or the single advertisement of a controller with legacy commands.
package struct Broadcast: Hashable, Sendable {
    /// The advertising payload, at most 31 octets.
    package var data: [UInt8]
    /// Its `ownAddressIsRandom` follows from `address`.
    package var parameters: AdvertisingParameters {
        didSet { parameters.ownAddressIsRandom = address != nil }
    }
    /// A random address for this broadcast alone; nil for the controller's public one.
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
    /// In the order of their use. With legacy commands, the first one stands for the only advertisement.
    package var handles: [AdvertisingHandle]
    /// Sets that no program uses any more, but that may still be on the air: a killed program left them.
    package var leftovers: [AdvertisingHandle]
    /// Whether another program has claimed the first set. Then a controller with a single advertisement has none left.
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
