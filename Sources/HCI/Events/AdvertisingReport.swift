package import Beacon

/// One report out of an LE Advertising Report or LE Extended Advertising Report event.
/// Core Specification Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
package struct AdvertisingReport: Hashable, Sendable {
    /// Whether the report comes from the extended event. If so, `eventType` holds bits, otherwise a number from 0 to 4.
    package var isExtended: Bool
    /// The event type field, unchanged.
    package var eventType: UInt16
    package var addressType: AddressType
    package var address: DeviceAddress
    /// The octet as received; 127 means "not available".
    package var rawRSSI: Int8
    /// Advertising set; 0xFF in legacy reports and where there is no set.
    package var advertisingSID: UInt8
    /// The position of the payload in the event.
    package var data: Range<Int>

    @inlinable
    init(
        isExtended: Bool, eventType: UInt16, addressType: AddressType, address: DeviceAddress, rawRSSI: Int8,
        advertisingSID: UInt8, data: Range<Int>
    ) {
        self.isExtended = isExtended
        self.eventType = eventType
        self.addressType = addressType
        self.address = address
        self.rawRSSI = rawRSSI
        self.advertisingSID = advertisingSID
        self.data = data
    }

    /// dBm, or nil if the controller has no value.
    @inlinable
    package var rssi: Int8? { rawRSSI == 127 ? nil : rawRSSI }

    /// Whether the payload is complete, continues in a later report, or was truncated.
    @inlinable
    package var dataStatus: DataStatus {
        guard isExtended else { return .complete }
        switch eventType >> 5 & 3 {
        case 0: return .complete
        case 1: return .moreToCome
        default: return .truncated
        }
    }

    package enum DataStatus: Sendable {
        case complete
        case moreToCome
        /// The controller lost the rest.
        case truncated
    }
}

/// A walk over the reports of one LE Meta event, in their order in the event.
///
/// Controllers send the fields report by report (Core Specification Vol 4, Part E, 5.2). Like `ADStructures`, the walk
/// holds a position and never the octets.
package struct AdvertisingReports: Sendable {
    @usableFromInline var offset = 4
    @usableFromInline var remaining: Int
    @usableFromInline let isExtended: Bool
    @usableFromInline let end: Int
    /// A report claimed more octets than the event has. The reports before it were returned.
    package var isMalformed = false

    /// - Parameter event: an event without its H4 type, starting with the event code.
    /// Returns nil when it holds no advertising reports.
    @inlinable
    package init?(event: RawSpan) {
        guard event.byteCount >= 4, event.octet(at: 0) == EventCode.leMeta.rawValue else { return nil }
        let subevent = LESubevent(rawValue: event.octet(at: 2))
        guard subevent == .advertisingReport || subevent == .extendedAdvertisingReport else { return nil }
        isExtended = subevent == .extendedAdvertisingReport
        let claimed = 2 + Int(event.octet(at: 1))
        // An event that is shorter than its header claims is read up to its end.
        isMalformed = claimed > event.byteCount
        end = Swift.min(claimed, event.byteCount)
        remaining = claimed >= 4 ? Int(event.octet(at: 3)) : 0
    }

    @inlinable
    package mutating func next(in event: RawSpan) -> AdvertisingReport? {
        guard remaining > 0, end <= event.byteCount else { return nil }
        remaining -= 1
        guard let report = isExtended ? extended(event) : legacy(event) else {
            isMalformed = true
            remaining = 0
            return nil
        }
        return report
    }

    @inlinable
    mutating func legacy(_ event: RawSpan) -> AdvertisingReport? {
        let start = offset
        guard start + 9 <= end else { return nil }
        let data = start + 9..<start + 9 + Int(event.octet(at: start + 8))
        guard data.upperBound < end else { return nil }
        offset = data.upperBound + 1
        return AdvertisingReport(
            isExtended: false,
            eventType: UInt16(event.octet(at: start)),
            addressType: AddressType(rawValue: event.octet(at: start + 1)),
            address: DeviceAddress(littleEndian: event, at: start + 2),
            rawRSSI: Int8(bitPattern: event.octet(at: data.upperBound)),
            advertisingSID: 0xFF, data: data)
    }

    @inlinable
    mutating func extended(_ event: RawSpan) -> AdvertisingReport? {
        let start = offset
        guard start + 24 <= end else { return nil }
        let data = start + 24..<start + 24 + Int(event.octet(at: start + 23))
        guard data.upperBound <= end else { return nil }
        offset = data.upperBound
        return AdvertisingReport(
            isExtended: true,
            eventType: event.littleEndian16(at: start),
            addressType: AddressType(rawValue: event.octet(at: start + 2)),
            address: DeviceAddress(littleEndian: event, at: start + 3),
            rawRSSI: Int8(bitPattern: event.octet(at: start + 13)),
            advertisingSID: event.octet(at: start + 11), data: data)
    }
}
