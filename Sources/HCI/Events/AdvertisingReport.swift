public import Beacon

/// One report out of an LE Advertising Report or LE Extended Advertising Report event.
/// Core Specification Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
public struct AdvertisingReport: Hashable, Sendable {
    /// Whether the report comes from the extended event. If so, `eventType` holds bits, otherwise a number from 0 to 4.
    public var isExtended: Bool
    /// The event type field, unchanged.
    public var eventType: UInt16
    public var addressType: AddressType
    /// Meaningless if the advertiser is anonymous; see `sender`.
    public var address: DeviceAddress
    /// The octet as received; 127 means "not available".
    public var rawRSSI: Int8
    /// Advertising set; 0xFF in legacy reports and where there is no set.
    public var advertisingSID: UInt8
    /// The position of the payload in the event.
    public var data: Range<Int>

    /// Reads the fields of a report that `AdvertisingReports` has found in this event.
    @inlinable @inline(__always)
    init(_ place: Place, in event: RawSpan) {
        isExtended = place.isExtended
        data = place.data
        // The compiler knows this length, so one bounds check serves for all fields.
        if isExtended {
            let head = event.extracting(place.start..<place.start &+ Self.extendedHeadLength)
            eventType = head.littleEndian16(at: 0)
            addressType = AddressType(rawValue: head.octet(at: 2))
            address = DeviceAddress(littleEndian: head, at: 3)
            advertisingSID = head.octet(at: 11)
            rawRSSI = Int8(bitPattern: head.octet(at: 13))
        } else {
            let head = event.extracting(place.start..<place.start &+ Self.legacyHeadLength)
            eventType = UInt16(head.octet(at: 0))
            addressType = AddressType(rawValue: head.octet(at: 1))
            address = DeviceAddress(littleEndian: head, at: 2)
            advertisingSID = 0xFF
            rawRSSI = Int8(bitPattern: event.octet(at: data.upperBound))
        }
    }

    /// Octets before the payload; the last of them is its length.
    @inlinable static var legacyHeadLength: Int { 9 }
    @inlinable static var extendedHeadLength: Int { 24 }

    /// The positions of a report and its payload in an event.
    @usableFromInline
    struct Place: Sendable {
        @usableFromInline var isExtended: Bool
        @usableFromInline var start: Int
        @usableFromInline var data: Range<Int>

        @inlinable
        init(isExtended: Bool, start: Int, data: Range<Int>) {
            self.isExtended = isExtended
            self.start = start
            self.data = data
        }

        /// Whether it answers a scan request: SCAN_RSP, or the bit of an extended report.
        @inlinable @inline(__always)
        func isScanResponse(in event: RawSpan) -> Bool {
            let eventType = event.octet(at: start)
            return isExtended ? eventType & 0x08 != 0 : eventType == 0x04
        }
    }

    /// The sender's address; nil if it is anonymous.
    @inlinable
    public var sender: DeviceAddress? {
        addressType.rawValue == AddressType.anonymous.rawValue ? nil : address
    }

    /// dBm, or nil if the controller has no value.
    @inlinable
    public var rssi: Int8? { rawRSSI == 127 ? nil : rawRSSI }

    /// Whether the payload is complete, continues in a later report, or was truncated.
    @inlinable
    public var dataStatus: DataStatus {
        guard isExtended else { return .complete }
        switch eventType >> 5 & 3 {
        case 0: return .complete
        case 1: return .moreToCome
        default: return .truncated
        }
    }

    public enum DataStatus: Sendable {
        case complete
        case moreToCome
        /// The controller lost the rest.
        case truncated
    }
}

/// An iteration over the reports of one LE Meta event, in the order of the event.
///
/// Controllers send the fields report by report (Core Specification Vol 4, Part E, 5.2). Like `ADStructures`, it holds
/// a position and never the octets.
public struct AdvertisingReports: Sendable {
    @usableFromInline var offset = 4
    @usableFromInline var remaining: Int
    @usableFromInline let isExtended: Bool
    @usableFromInline let end: Int
    /// A report claimed more octets than the event has. The reports before it were returned.
    public var isMalformed: Bool

    /// - Parameter event: an event without its H4 type, starting with the event code.
    /// Returns nil when it holds no advertising reports.
    @inlinable @inline(__always)
    public init?(event: RawSpan) {
        guard event.byteCount >= 4, event.octet(at: 0) == EventCode.leMeta.rawValue else { return nil }
        let subevent = event.octet(at: 2)
        isExtended = subevent == LESubevent.extendedAdvertisingReport.rawValue
        guard isExtended || subevent == LESubevent.advertisingReport.rawValue else { return nil }
        let claimed = 2 + Int(event.octet(at: 1))
        // An event that is shorter than its header claims is read up to its end.
        isMalformed = claimed > event.byteCount
        end = Swift.min(claimed, event.byteCount)
        remaining = claimed >= 4 ? Int(event.octet(at: 3)) : 0
    }

    package mutating func next(in event: RawSpan) -> AdvertisingReport? {
        nextPlace(in: event).map { AdvertisingReport($0, in: event) }
    }

    /// The same without reading the report's fields, which are not needed for the many payloads without an iBeacon.
    @inlinable @inline(__always)
    mutating func nextPlace(in event: RawSpan) -> AdvertisingReport.Place? {
        guard remaining > 0, end <= event.byteCount else { return nil }
        remaining &-= 1
        let start = offset
        let data = start &+ (isExtended ? AdvertisingReport.extendedHeadLength : AdvertisingReport.legacyHeadLength)
        // In a legacy report the RSSI follows the payload.
        let tail = isExtended ? 0 : 1
        if data <= end {
            let dataEnd = data &+ Int(event.octet(at: data &- 1))
            offset = dataEnd &+ tail
            if offset <= end {
                return AdvertisingReport.Place(
                    isExtended: isExtended, start: start, data: Range(uncheckedBounds: (lower: data, upper: dataEnd)))
            }
        }
        isMalformed = true
        remaining = 0
        return nil
    }
}
