import Beacon

extension LinkLayerFrame {
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (tcpdump.org, link-layer header types, 256): ten octets about the radio,
    /// then the frame.
    ///
    /// Returns the reason if the header says that the frame cannot be read.
    static func radioHeader(_ record: RawSpan) -> Result {
        guard record.byteCount >= 10 else { return .skipped(.malformed) }
        let flags = record.littleEndian16(at: 8)
        guard flags & 0x0001 != 0 else { return .skipped(.whitened) }
        let power = Int8(bitPattern: record.octet(at: 1))
        let isAuxiliary = flags >> 7 & 7 == 1
        return .frame(
            LinkLayerFrame(
                start: 10,
                rssi: flags & 0x0002 != 0 && power != 127 ? power : nil,
                checksum: flags & 0x0400 == 0 ? .unchecked : flags & 0x0800 != 0 ? .valid : .invalid,
                isCoded: flags >> 14 == 2,
                isScanResponse: isAuxiliary && flags >> 12 & 3 == 3,
                isAuxiliaryAdvertisement: isAuxiliary && flags >> 12 & 3 == 0))
    }

    /// LINKTYPE_NORDIC_BLE (tcpdump.org, link-layer header types, 272; Nordic Semiconductor, nRF Sniffer packet
    /// format): the sniffer's serial protocol.
    ///
    /// Version 0 begins with BE EF. Versions 1 to 3 begin with the board's number and differ in how they write the
    /// length of the payload. Then follow flags, channel and level, an event counter and a time stamp, nine octets in
    /// all. From version 1 on their length comes before them.
    static func nordic(_ record: RawSpan) -> Result {
        guard record.byteCount >= 8 else { return .skipped(.malformed) }
        let isLegacy = record.bigEndian16(at: 0) == 0xBEEF
        let version = isLegacy ? 0 : record.octet(at: 3)
        let packetType = record.octet(at: isLegacy ? 2 : 6)
        // Version 3 has its own packet type for advertising; in earlier versions the access address decides.
        guard packetType == 0x06 || packetType == 0x02 && version >= 3 else { return .skipped(.metadata) }
        let radio: Int
        let start: Int
        if isLegacy {
            radio = 8
            start = 17
        } else {
            let event = version == 1 ? 1 + Int(record.octet(at: 1)) : 7
            guard event >= 7, event < record.byteCount else { return .skipped(.malformed) }
            radio = event + 1
            start = event + Int(record.octet(at: event))
        }
        guard start >= radio + 9, record.byteCount >= start else { return .skipped(.malformed) }
        let flags = record.octet(at: radio)
        let isAuxiliary = version >= 3 && packetType == 0x02 && record.octet(at: radio + 1) < 37
        return .frame(
            LinkLayerFrame(
                start: start,
                // The level is sent as a positive number.
                rssi: Int8(clamping: -Int(record.octet(at: radio + 2))),
                checksum: flags & 1 != 0 ? .valid : .invalid,
                isCoded: version >= 2 && flags >> 4 & 7 == 2,
                isScanResponse: isAuxiliary && flags >> 1 & 3 == 3,
                isAuxiliaryAdvertisement: isAuxiliary && flags >> 1 & 3 == 0))
    }

    enum Result {
        case frame(LinkLayerFrame)
        case skipped(SkipReason)

        func content(in record: RawSpan) -> CapturedRecord.Content {
            switch self {
            case .frame(let frame): frame.content(in: record)
            case .skipped(let reason): .skipped(reason)
            }
        }
    }
}
