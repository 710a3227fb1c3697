import HCI

/// The kind of a record of the Linux Bluetooth monitor (BlueZ, monitor channel; btsnoop datalink 2001, link type 254).
struct MonitorOpcode: RawRepresentable {
    var rawValue: UInt16

    @inline(__always)
    var content: CapturedRecord.Content {
        switch rawValue {
        case 2: .hci(.command, fromController: false)
        case 3: .hci(.event, fromController: true)
        case 4: .hci(.aclData, fromController: false)
        case 5: .hci(.aclData, fromController: true)
        case 6: .hci(.synchronousData, fromController: false)
        case 7: .hci(.synchronousData, fromController: true)
        case 18: .hci(.isoData, fromController: false)
        case 19: .hci(.isoData, fromController: true)
        default: .skipped(.metadata)
        }
    }
}

extension MonitorOpcode {
    /// Nil for a packet type that the monitor does not have.
    init?(_ type: PacketType, fromController: Bool) {
        switch type {
        case .command: self.init(rawValue: 2)
        case .event: self.init(rawValue: 3)
        case .aclData: self.init(rawValue: fromController ? 5 : 4)
        case .synchronousData: self.init(rawValue: fromController ? 7 : 6)
        case .isoData: self.init(rawValue: fromController ? 19 : 18)
        default: return nil
        }
    }
}
