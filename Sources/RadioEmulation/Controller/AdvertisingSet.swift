package import HCI
import Beacon

/// Which of a controller's advertisements: the single one of the legacy commands, or an advertising set.
package enum AdvertisementID: Hashable, Sendable {
    case legacy
    case set(AdvertisingHandle)
}

/// An advertisement as the host has set it up, legacy or extended.
struct AdvertisingSet: Sendable {
    var properties = AdvertisingProperties.legacyConnectable
    /// Units of 0.625 ms; of the range that the host gives the shortest is used. 1.28 s after a reset.
    var interval: UInt32 = 0x0800
    var channelMap: UInt8 = 0x07
    var ownAddressIsRandom = false
    /// Of an extended set only; the legacy advertisement uses the controller's.
    var randomAddress: DeviceAddress?
    var advertisingSID: UInt8 = 0xFF
    var secondaryPHY: UInt8 = 0
    var transmitPower: Int8 = 0
    var includesTransmitPower = false

    var data = AdvertisingPayload()
    var scanResponse = AdvertisingPayload()

    var isEnabled = false
    /// Counts the times it was enabled, so that a new start can be told from one that goes on.
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
    /// The last piece has come. A set with half a payload cannot be enabled.
    var isComplete = true
}
