import Beacon
import HCI

/// One advertisement that a controller sends: what, how often, how strong.
package struct Advertisement: Hashable, Sendable {
    /// Which of the controller's.
    package var id: AdvertisementID
    /// The packet of each advertising event.
    package var pdu: AdvertisingPDU
    /// From one advertising event to the next, without the random delay.
    package var interval: Duration
    /// The level in dBm that a receiver 1 m away reads.
    package var levelAtOneMetre: Double
    /// Grows whenever the host enables it, so that a new start can be told from one that goes on.
    package var starts: Int
}

extension VirtualController {
    /// Everything that the controller sends now, legacy first, then the sets by their handles.
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

    /// Tells the controller that an advertising event took place. Returns the event that ends a set whose number of
    /// advertising events the host had limited.
    package mutating func didTransmit(_ id: AdvertisementID, at now: Duration) -> [[UInt8]] {
        guard case .set(let handle) = id, var set = state.advertisingSets[handle], set.isEnabled else { return [] }
        set.completedEvents = set.completedEvents == 255 ? 255 : set.completedEvents + 1
        set.remainingEvents = set.remainingEvents.map { $0 - 1 }
        state.advertisingSets[handle] = set
        return set.remainingEvents == 0 ? terminate(handle, .limitReached) : []
    }

    /// A set ends after a number of advertising events, so that they must be counted even where nobody hears them.
    var countsEvents: Bool {
        state.advertisingSets.values.contains { $0.isEnabled && $0.remainingEvents != nil }
    }

    /// When the controller does something by itself: ends a scan or an advertising set that the host had limited in
    /// time. Nil where nothing is limited.
    package var deadline: Duration? {
        let ends = state.advertisingSets.values.compactMap(\.endsAt) + [state.scan?.endsAt].compactMap { $0 }
        return ends.min()
    }

    /// Does what is due by now, and returns the events that say so.
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
