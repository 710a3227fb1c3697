package import Beacon
package import HCI

/// One record of a capture. A plain value: its bytes are passed beside it and stay borrowed.
package struct CapturedRecord: Sendable {
    /// When the record was captured, by the capturing host's clock, in UTC; nil if it has no time.
    package var time: Timestamp?
    /// The kernel's index of the adapter (Linux monitor captures), otherwise 0.
    package var adapter: UInt16
    /// The number of the interface in `CaptureReader.interfaceNames` (pcapng), otherwise 0.
    package var interface: UInt16
    /// Where the record begins in the file, in bytes from its start.
    package var offset: UInt64
    /// The line on which the record begins, counted from 1; 0 in binary formats.
    package var line: Int
    package var content: Content

    init(
        time: Timestamp?, adapter: UInt16 = 0, interface: UInt16 = 0, offset: UInt64, line: Int = 0, content: Content
    ) {
        self.time = time
        self.adapter = adapter
        self.interface = interface
        self.offset = offset
        self.line = line
        self.content = content
    }

    /// What a record holds, and the meaning of the bytes that are passed with it.
    package enum Content: Sendable {
        /// An HCI packet. The bytes are the packet without its H4 type octet. If the capture does not record the
        /// direction, events count as sent by the controller and everything else as sent to it.
        case hci(PacketType, fromController: Bool)
        /// An advertisement that a sniffer received. Its ranges are offsets into the bytes.
        case advertisement(LinkLayerAdvertisement)
        /// A row of an observation table. `scannerName` is an index into `CaptureReader.scannerNames`, nil if the row
        /// names no scanner; `Sighting.source` stays 0. The bytes are the row.
        case sighting(Sighting, scannerName: UInt16?)
        /// Nothing to decode. The bytes are the part of the record that was read; there may be none.
        case skipped(SkipReason)
    }
}

/// An advertising PDU from the link layer, as a controller would report it.
/// Core Specification Vol 6, Part B, 2.3.
package struct LinkLayerAdvertisement: Hashable, Sendable {
    /// Whether the PDU has the extended format. If so, `eventType` holds bits, otherwise a number from 0 to 4.
    package var isExtended: Bool
    /// The event type field that the HCI report would have (Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
    package var eventType: UInt16
    /// The type of `address`, from the PDU's TxAdd bit; `anonymous` without one.
    package var addressType: AddressType
    /// The advertiser's address (AdvA); nil if it is anonymous.
    package var address: DeviceAddress?
    /// dBm; nil if the capture has no value.
    package var rssi: Int8?
    /// The position of the advertising data in the bytes. May be empty.
    package var data: Range<Int>
}

/// Why a record holds nothing to decode. An open set.
package struct SkipReason: RawRepresentable, Hashable, Sendable {
    /// Values from 64 on mean damage.
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // Harmless: what an undamaged capture holds besides reports
    /// Notes of the capturing program itself: adapters that appear and disappear, log lines, management traffic.
    package static var metadata: Self { Self(1) }
    /// A link-layer frame that is not an advertisement with data, for example a scan request or a connection request.
    package static var notAdvertisement: Self { Self(2) }
    /// A frame with an access address other than that of advertising.
    package static var otherAccessAddress: Self { Self(3) }
    /// A packet of an unsupported link type in a file that also has supported ones.
    package static var otherLinkType: Self { Self(4) }
    /// A pcapng Packet Block, obsolete since 2009.
    package static var obsoleteBlock: Self { Self(5) }
    /// A line of text that belongs to no packet.
    package static var strayLine: Self { Self(6) }

    // Damage
    /// A link-layer frame with a wrong CRC.
    package static var badChecksum: Self { Self(64) }
    /// Inner lengths that do not fit, or an empty packet.
    package static var malformed: Self { Self(65) }
    /// A link-layer frame that is still whitened, so that nothing in it can be read.
    package static var whitened: Self { Self(66) }
    /// A row with fewer fields than the header has columns, or with broken quoting.
    package static var malformedRow: Self { Self(67) }
    /// Neither seconds since 1970 nor RFC 3339.
    package static var invalidTime: Self { Self(68) }
    /// Not 32 hexadecimal digits.
    package static var invalidUUID: Self { Self(69) }
    /// Not a number from 0 to 65535.
    package static var invalidMajor: Self { Self(70) }
    /// Not a number from 0 to 65535.
    package static var invalidMinor: Self { Self(71) }
    /// Not a number from -128 to 127.
    package static var invalidMeasuredPower: Self { Self(72) }
    /// Neither empty nor a number from -128 to 127.
    package static var invalidRSSI: Self { Self(73) }
    /// No device address, or a type that is neither `public` nor `random`.
    package static var invalidAddress: Self { Self(74) }
    /// Neither empty nor a number from 0 to 65535.
    package static var invalidEventType: Self { Self(75) }
    /// A scanner name of more than 255 bytes, or more than 65,535 names.
    package static var invalidScanner: Self { Self(76) }

    /// Whether the record is damaged; false if it is only of no interest.
    package var isDamage: Bool { rawValue >= 64 }
}

extension SkipReason: CustomStringConvertible {
    /// A few words to print after a place: `line 7: invalid uuid`.
    package var description: String {
        switch self {
        case .metadata: "metadata"
        case .notAdvertisement: "no advertisement"
        case .otherAccessAddress: "not on the advertising access address"
        case .otherLinkType: "link type that is not understood"
        case .obsoleteBlock: "obsolete packet block"
        case .strayLine: "line that belongs to no packet"
        case .badChecksum: "bad CRC"
        case .malformed: "malformed packet"
        case .whitened: "whitened frame"
        case .malformedRow: "too few fields, or broken quoting"
        case .invalidTime: "invalid time, neither seconds since 1970 nor RFC 3339"
        case .invalidUUID: "invalid uuid"
        case .invalidMajor: "invalid major, not a number from 0 to 65535"
        case .invalidMinor: "invalid minor, not a number from 0 to 65535"
        case .invalidMeasuredPower: "invalid measured_power, not a number from -128 to 127"
        case .invalidRSSI: "invalid rssi, neither empty nor a number from -128 to 127"
        case .invalidAddress: "invalid address or address_type"
        case .invalidEventType: "invalid event_type, neither empty nor a number from 0 to 65535"
        case .invalidScanner: "scanner name too long, or too many of them"
        default: "skipped (\(rawValue))"
        }
    }
}
