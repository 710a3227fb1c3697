import Beacon
import HCI

/// The supported link types of pcap and pcapng (tcpdump.org, link-layer header types).
enum LinkType: UInt16, Sendable {
    /// LINKTYPE_BLUETOOTH_HCI_H4
    case h4 = 187
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR
    case h4WithDirection = 201
    /// LINKTYPE_BLUETOOTH_LE_LL
    case linkLayer = 251
    /// LINKTYPE_BLUETOOTH_LINUX_MONITOR
    case monitor = 254
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR
    case linkLayerWithRadioHeader = 256
    /// LINKTYPE_NORDIC_BLE
    case nordic = 272

    var name: String {
        switch self {
        case .h4: "HCI H4"
        case .h4WithDirection: "HCI H4 with direction"
        case .linkLayer: "Bluetooth LE link layer"
        case .monitor: "Linux Bluetooth monitor"
        case .linkLayerWithRadioHeader: "Bluetooth LE link layer with radio header"
        case .nordic: "nRF Sniffer"
        }
    }

    /// Whether the packets are link-layer frames instead of HCI packets.
    var isOfSniffer: Bool {
        switch self {
        case .linkLayer, .linkLayerWithRadioHeader, .nordic: true
        case .h4, .h4WithDirection, .monitor: false
        }
    }

    /// Reads one packet and delivers it.
    func deliver(
        _ packet: RawSpan, time: Timestamp?, interface: UInt16 = 0, offset: UInt64, to body: CaptureReader.RecordBody
    ) {
        var record = CapturedRecord(
            time: time, interface: interface, offset: offset, content: .skipped(.malformed))
        var bytes = packet
        switch self {
        case .h4:
            if packet.byteCount > 1 {
                let type = PacketType(rawValue: packet.octet(at: 0))
                record.content = .hci(type, fromController: type == .event)
                bytes = packet.extracting(1..<packet.byteCount)
            }
        case .h4WithDirection:
            if packet.byteCount > 5 {
                record.content = .hci(
                    PacketType(rawValue: packet.octet(at: 4)), fromController: packet.bigEndian32(at: 0) & 1 == 1)
                bytes = packet.extracting(5..<packet.byteCount)
            }
        case .monitor:
            if packet.byteCount >= 4 {
                record.adapter = packet.bigEndian16(at: 0)
                record.content = MonitorOpcode(rawValue: packet.bigEndian16(at: 2)).content
                bytes = packet.extracting(4..<packet.byteCount)
            }
        case .linkLayer:
            record.content = LinkLayerFrame(start: 0, rssi: nil, checksum: .unchecked).content(in: packet)
        case .linkLayerWithRadioHeader:
            record.content = LinkLayerFrame.radioHeader(packet).content(in: packet)
        case .nordic:
            record.content = LinkLayerFrame.nordic(packet).content(in: packet)
        }
        body(record, bytes)
    }
}
