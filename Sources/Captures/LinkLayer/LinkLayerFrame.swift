import Beacon

/// A frame as a sniffer captured it: access address, PDU, CRC (Core Specification Vol 6, Part B, 2.1).
struct LinkLayerFrame {
    /// Where the access address begins in the record.
    var start: Int
    var rssi: Int8?
    var checksum: Checksum
    /// LE Coded: an octet with the coding indicator follows the access address.
    var isCoded = false
    /// The capture marks it as an AUX_SCAN_RSP. The PDU alone does not distinguish it from other extended PDUs.
    var isScanResponse = false
    /// The capture marks it as an AUX_ADV_IND: of the PDUs with data, only this one may lack an address because the
    /// advertiser is anonymous.
    var isAuxiliaryAdvertisement = false

    /// The capturing device's verdict on the CRC.
    enum Checksum {
        case valid
        case invalid
        case unchecked
    }

    private static let advertisingAccessAddress: UInt32 = 0x8E89_BED6

    /// Reads the frame from its record.
    func content(in record: RawSpan) -> CapturedRecord.Content {
        let header = start + (isCoded ? 5 : 4)
        guard record.byteCount >= header + 2 else { return .skipped(.malformed) }
        guard record.littleEndian32(at: start) == Self.advertisingAccessAddress else {
            return .skipped(.otherAccessAddress)
        }
        let payload = header + 2..<header + 2 + Int(record.octet(at: header + 1))
        switch checksum {
        case .invalid:
            return .skipped(.badChecksum)
        case .valid:
            guard payload.upperBound <= record.byteCount else { return .skipped(.malformed) }
        case .unchecked:
            guard payload.upperBound + 3 <= record.byteCount else { return .skipped(.malformed) }
            let sent =
                UInt32(record.littleEndian16(at: payload.upperBound))
                | UInt32(record.octet(at: payload.upperBound + 2)) << 16
            guard CRC24.checksum(record, in: header..<payload.upperBound) == sent else {
                return .skipped(.badChecksum)
            }
        }
        return pdu(record, header: record.octet(at: header), payload: payload)
    }

    /// Vol 6, Part B, 2.3: the type is in the low four bits of the header.
    private func pdu(_ record: RawSpan, header: UInt8, payload: Range<Int>) -> CapturedRecord.Content {
        let addressType: AddressType = header & 0x40 == 0 ? .public : .random
        switch header & 0x0F {
        case 0: return legacy(record, eventType: 0, addressType, payload)  // ADV_IND
        case 1: return legacy(record, eventType: 1, addressType, payload)  // ADV_DIRECT_IND
        case 2: return legacy(record, eventType: 3, addressType, payload)  // ADV_NONCONN_IND
        case 4: return legacy(record, eventType: 4, addressType, payload)  // SCAN_RSP
        case 6: return legacy(record, eventType: 2, addressType, payload)  // ADV_SCAN_IND
        case 7: return extended(record, addressType, payload)  // ADV_EXT_IND and the AUX_ PDUs
        default: return .skipped(.notAdvertisement)
        }
    }

    private func legacy(
        _ record: RawSpan, eventType: UInt16, _ addressType: AddressType, _ payload: Range<Int>
    ) -> CapturedRecord.Content {
        guard (6...37).contains(payload.count) else { return .skipped(.malformed) }
        // A directed advertisement has its target's address instead of data.
        let data = eventType == 1 ? payload.upperBound : payload.lowerBound + 6
        return .advertisement(
            LinkLayerAdvertisement(
                isExtended: false, eventType: eventType, addressType: addressType,
                address: DeviceAddress(littleEndian: record, at: payload.lowerBound), rssi: rssi,
                data: data..<payload.upperBound))
    }

    /// The common extended advertising payload, Vol 6, Part B, 2.3.4.
    private func extended(
        _ record: RawSpan, _ addressType: AddressType, _ payload: Range<Int>
    ) -> CapturedRecord.Content {
        guard !payload.isEmpty else { return .skipped(.malformed) }
        let first = record.octet(at: payload.lowerBound)
        let headerLength = Int(first & 0x3F)
        let data = payload.lowerBound + 1 + headerLength
        guard data <= payload.upperBound else { return .skipped(.malformed) }
        guard headerLength > 0, data < payload.upperBound else { return .skipped(.notAdvertisement) }
        let flags = ExtendedHeaderFlags(rawValue: record.octet(at: payload.lowerBound + 1))
        let hasAddress = flags.contains(.advertiserAddress)
        guard hasAddress || isAuxiliaryAdvertisement else { return .skipped(.notAdvertisement) }
        guard headerLength >= flags.headerLength else { return .skipped(.malformed) }
        var eventType = UInt16(first >> 6 == 3 ? 0 : first >> 6)  // AdvMode: 1 connectable, 2 scannable
        if flags.contains(.targetAddress) { eventType |= 1 << 2 }
        if isScanResponse { eventType |= 1 << 3 }
        // The data continues in another frame, and chains are not joined: "incomplete, no more to come".
        if flags.contains(.auxiliaryPointer) { eventType |= 2 << 5 }
        return .advertisement(
            LinkLayerAdvertisement(
                isExtended: true, eventType: eventType, addressType: hasAddress ? addressType : .anonymous,
                address: hasAddress ? DeviceAddress(littleEndian: record, at: payload.lowerBound + 2) : nil, rssi: rssi,
                data: data..<payload.upperBound))
    }
}

/// Which fields an extended header holds, in this order. Core Specification Vol 6, Part B, 2.3.4, figure 2.12.
private struct ExtendedHeaderFlags: OptionSet {
    let rawValue: UInt8

    static let advertiserAddress = Self(rawValue: 1 << 0)
    static let targetAddress = Self(rawValue: 1 << 1)
    static let auxiliaryPointer = Self(rawValue: 1 << 4)

    /// The length of the flags and of the fields that they announce, in octets.
    var headerLength: Int {
        var length = 1
        for (bit, octets) in [6, 6, 1, 2, 3, 18, 1].enumerated() where rawValue & 1 << bit != 0 {
            length += octets
        }
        return length
    }
}
