import Beacon
import HCI

/// One advertisement that a controller sends.
package struct Advertisement: Hashable, Sendable {
    /// Identifies it within the controller.
    package var id: AdvertisementID
    /// The packet of each advertising event.
    package var pdu: AdvertisingPDU
    /// Time between advertising events, without the random delay.
    package var interval: Duration
    /// The level in dBm at a receiver 1 m away.
    package var levelAtOneMetre: Double
    /// Counts how often the host enabled it, so that a restart can be recognised.
    package var starts: Int
}

extension VirtualController {
    /// Everything that the controller currently sends: legacy first, then the sets by handle.
    package var advertisements: [Advertisement] {
        var list: [Advertisement] = []
        if state.legacyAdvertising.isEnabled {
            list.append(advertisement(.legacy, state.legacyAdvertising, randomAddress: state.randomAddress))
        }
        for (handle, set) in state.advertisingSets.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where set.isEnabled {
            list.append(advertisement(.set(handle), set, randomAddress: set.randomAddress))
        }
        return list
    }

    private func advertisement(
        _ id: AdvertisementID, _ set: AdvertisingSet, randomAddress: DeviceAddress?
    ) -> Advertisement {
        let isAnonymous = set.properties.contains(.anonymous)
        let random = set.ownAddressIsRandom ? randomAddress : nil
        let addressType = isAnonymous ? AddressType(rawValue: 0xFF) : random == nil ? .public : .random
        return Advertisement(
            id: id,
            pdu: AdvertisingPDU(
                properties: set.properties.subtracting(.anonymous),
                address: isAnonymous ? DeviceAddress(0) : random ?? address, addressType: addressType,
                data: set.data.octets, scanResponse: set.scanResponse.octets, advertisingSID: set.advertisingSID,
                transmitPower: set.includesTransmitPower ? set.transmitPower : 127,
                secondaryPHY: set.secondaryPHY, channelMap: set.channelMap),
            interval: .microseconds(Int64(set.interval) * 625),
            levelAtOneMetre: profile.levelAtOneMetre
                + Double(Int(set.transmitPower) - Int(profile.greatestTransmitPower)),
            starts: set.starts)
    }

    /// Reports an advertising event to the controller. If the host has limited the number of a set's advertising
    /// events and the limit is reached, returns the HCI event that ends the set.
    package mutating func didTransmit(_ id: AdvertisementID, at now: Duration) -> [[UInt8]] {
        guard case .set(let handle) = id, var set = state.advertisingSets[handle], set.isEnabled else { return [] }
        set.completedEvents = set.completedEvents == 255 ? 255 : set.completedEvents + 1
        set.remainingEvents = set.remainingEvents.map { $0 - 1 }
        state.advertisingSets[handle] = set
        return set.remainingEvents == 0 ? terminate(handle, .limitReached) : []
    }

    /// Whether a set has a limited number of advertising events. They must then be counted even if no scanner runs.
    var countsEvents: Bool {
        state.advertisingSets.values.contains { $0.isEnabled && $0.remainingEvents != nil }
    }

    /// The next instant at which the controller acts by itself: it ends a scan or an advertising set after the host's
    /// time limit. Nil without limits.
    package var deadline: Duration? {
        let ends = state.advertisingSets.values.compactMap(\.endsAt) + [state.scan?.endsAt].compactMap { $0 }
        return ends.min()
    }

    /// Ends what is due by now, and returns the HCI events that report it.
    package mutating func expire(at now: Duration) -> [[UInt8]] {
        var events: [[UInt8]] = []
        if let end = state.scan?.endsAt, end <= now {
            state.scan = nil
            if isUnmasked(.scanTimeout) {
                events.append(EventPacket.leMeta(.scanTimeout))
            }
        }
        for (handle, set) in state.advertisingSets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let end = set.endsAt, end <= now {
                events += terminate(handle, .advertisingTimeout)
            }
        }
        return events
    }

    /// LE Advertising Set Terminated, Vol 4, Part E, 7.7.65.18.
    private mutating func terminate(_ handle: AdvertisingHandle, _ status: ErrorCode) -> [[UInt8]] {
        let completed = state.advertisingSets[handle]?.completedEvents ?? 0
        let isLimited = state.advertisingSets[handle]?.remainingEvents != nil
        state.advertisingSets[handle]?.disable()
        guard isUnmasked(.advertisingSetTerminated) else { return [] }
        return [
            EventPacket.leMeta(
                .advertisingSetTerminated,
                [status.rawValue, handle.rawValue, 0, 0, isLimited ? completed : 0])
        ]
    }
}
