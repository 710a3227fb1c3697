/// The kind of a capture file, recognised from its first bytes.
package struct CaptureFormat: Hashable, Sendable {
    /// The file format around the packets.
    package var container: Container
    /// The kind of packets in the container: btsnoop's datalink number or pcap's link type. Nil in text formats, and in
    /// pcapng files that describe no interface.
    package var linkType: UInt32?

    /// Whether a file of this kind says which of several adapters or interfaces has received a packet.
    package var tellsReceivers: Bool { container == .pcapng || tellsAdapters }

    /// Whether it says which of a host's adapters a packet belongs to, as the Linux Bluetooth monitor does.
    package var tellsAdapters: Bool {
        linkType == (container == .btsnoop ? BtsnoopDatalink.monitor.rawValue : UInt32(LinkType.monitor.rawValue))
    }

    /// Whether a file of this kind may hold HCI packets. A table has none, and a sniffer's frames are not HCI packets.
    package var mayHavePackets: Bool {
        switch container {
        case .observations: false
        case .pcap: linkType.flatMap { LinkType(rawValue: UInt16(truncatingIfNeeded: $0)) }?.isOfSniffer != true
        default: true
        }
    }

    init(_ container: Container, linkType: UInt32? = nil) {
        self.container = container
        self.linkType = linkType
    }

    /// The file format around the packets. An open set.
    package struct Container: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// BlueZ, Android, Symbian.
        package static let btsnoop = Self(rawValue: "btsnoop")
        /// tcpdump, sniffers.
        package static let pcap = Self(rawValue: "pcap")
        /// Wireshark.
        package static let pcapng = Self(rawValue: "pcapng")
        /// The output of `hcidump --raw`.
        package static let hcidump = Self(rawValue: "hcidump text")
        /// A table with one row for each sighting.
        package static let observations = Self(rawValue: "observation CSV")
    }

    /// Every supported format, for messages and help texts.
    package static let understood = """
        btsnoop (datalinks 1001, 1002, 2001), pcap and pcapng (link types 187, 201, 251, 254, 256, 272), \
        hcidump --raw text, observation CSV (a header with uuid, major, minor, measured_power, rssi)
        """
}

extension CaptureFormat: CustomStringConvertible {
    /// `btsnoop, HCI H4 (1002)`.
    package var description: String {
        guard let linkType else { return container.rawValue }
        let name =
            container == .btsnoop
            ? BtsnoopDatalink(rawValue: linkType)?.name
            : UInt16(exactly: linkType).flatMap { LinkType(rawValue: $0)?.name }
        return "\(container.rawValue), \(name ?? "link type") (\(linkType))"
    }
}
