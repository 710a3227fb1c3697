import Beacon
import HCI

extension VirtualController {
    /// Whether a scan runs, inside or between its windows.
    package var isScanning: Bool { state.scan != nil }

    /// Takes a received PDU and returns the reports for the host. There are none outside of a scan window, on another
    /// channel, for a duplicate that the host filters, or for an event that the host masked.
    ///
    /// - Parameters:
    ///   - rssi: dBm, or 127 if it is unknown.
    ///   - now: the instant of the advertising event.
    package mutating func hear(_ pdu: AdvertisingPDU, rssi: Int8, at now: Duration) -> [[UInt8]] {
        guard let scan = state.scan, scan.isListening(at: now, channelMap: pdu.channelMap) else { return [] }
        // A legacy scan does not receive extended PDUs.
        guard scan.isExtended || pdu.isLegacy else { return [] }
        guard isUnmasked(scan.isExtended ? .extendedAdvertisingReport : .advertisingReport) else { return [] }

        var packets: [[UInt8]] = []
        if isNews(pdu, isScanResponse: false, at: now) {
            packets += Self.reports(pdu, pdu.data, rssi: rssi, isExtended: scan.isExtended)
        }
        let answers = scan.settings.isActive && pdu.properties.contains(.scannable)
        if answers, isNews(pdu, isScanResponse: true, at: now) {
            var response = pdu
            response.properties.insert(.scanResponse)
            packets += Self.reports(response, pdu.scanResponse, rssi: rssi, isExtended: scan.isExtended)
        }
        return packets
    }

    private mutating func isNews(_ pdu: AdvertisingPDU, isScanResponse: Bool, at now: Duration) -> Bool {
        state.scan?.isDuplicate(pdu, isScanResponse: isScanResponse, at: now) == false
    }

    private static func reports(
        _ pdu: AdvertisingPDU, _ data: [UInt8], rssi: Int8, isExtended: Bool
    ) -> [[UInt8]] {
        isExtended ? extendedReports(pdu, data, rssi: rssi) : [legacyReport(pdu, data, rssi: rssi)]
    }

    /// LE Advertising Report, Vol 4, Part E, 7.7.65.2.
    private static func legacyReport(_ pdu: AdvertisingPDU, _ data: [UInt8], rssi: Int8) -> [UInt8] {
        var report: [UInt8] = [1, pdu.properties.legacyEventType, pdu.addressType.rawValue]
        report.reserveCapacity(11 + data.count)
        report += pdu.address.littleEndianBytes
        report.append(UInt8(clamping: data.count))
        report += data
        report.append(UInt8(bitPattern: rssi))
        return EventPacket.leMeta(.advertisingReport, report)
    }

    /// LE Extended Advertising Report, Vol 4, Part E, 7.7.65.13: several if one event cannot hold the data.
    private static func extendedReports(_ pdu: AdvertisingPDU, _ data: [UInt8], rssi: Int8) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var offset = 0
        repeat {
            let piece = data[offset..<min(data.count, offset + longestPiece)]
            offset = piece.endIndex
            let isLast = offset == data.count
            var report: [UInt8] = [1]
            report.reserveCapacity(25 + piece.count)
            report.append(littleEndian: pdu.properties.rawValue | (isLast ? 0 : moreToCome))
            report.append(pdu.addressType.rawValue)
            report += pdu.address.littleEndianBytes
            report += [1, pdu.secondaryPHY, pdu.advertisingSID]
            report += [UInt8(bitPattern: pdu.transmitPower), UInt8(bitPattern: rssi)]
            report += [0, 0, 0, 0, 0, 0, 0, 0, 0]  // no periodic advertising, not directed
            report.append(UInt8(piece.count))
            report += piece
            packets.append(EventPacket.leMeta(.extendedAdvertisingReport, report))
        } while offset < data.count
        return packets
    }

    /// The space in an event's parameters after the subevent code, the count and the report's other fields.
    private static let longestPiece = EventPacket.longestParameters - 26
    /// Data status 01 (incomplete, more data to come) in bits 5 and 6 of the event type.
    private static let moreToCome: UInt16 = 1 << 5
}
