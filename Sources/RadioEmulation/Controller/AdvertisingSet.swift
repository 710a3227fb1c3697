package import HCI
import Beacon

/// Identifies one of a controller's advertisements: the single legacy one, or an advertising set.
package enum AdvertisementID: Hashable, Sendable {
    case legacy
    case set(AdvertisingHandle)
}

/// An advertisement as the host configured it, legacy or extended.
struct AdvertisingSet: Sendable {
    var properties = AdvertisingProperties.legacyConnectable
    /// Units of 0.625 ms. The shortest interval of the host's range is used. 1.28 s after a reset.
    var interval: UInt32 = 0x0800
    var channelMap: UInt8 = 0x07
    var ownAddressIsRandom = false
    /// Only in extended sets; the legacy advertisement uses the controller's address.
    var randomAddress: DeviceAddress?
    var advertisingSID: UInt8 = 0xFF
    var secondaryPHY: UInt8 = 0
    var transmitPower: Int8 = 0
    var includesTransmitPower = false

    var data = AdvertisingPayload()
    var scanResponse = AdvertisingPayload()

    var isEnabled = false
    /// Counts how often it was enabled, so that a restart can be recognised.
    var starts = 0
    var endsAt: Duration?
    var remainingEvents: UInt8?
    var completedEvents: UInt8 = 0

    mutating func enable(endsAt: Duration? = nil, events: UInt8? = nil) {
        isEnabled = true
        starts += 1
        self.endsAt = endsAt
        remainingEvents = events
        completedEvents = 0
    }

    mutating func disable() {
        isEnabled = false
        endsAt = nil
        remainingEvents = nil
    }
}

/// Advertising data that may arrive in several commands. Core Specification Vol 4, Part E, 7.8.54.
struct AdvertisingPayload: Sendable {
    var octets: [UInt8] = []
    /// Whether the last piece has arrived. A set with incomplete data cannot be enabled.
    var isComplete = true
}
