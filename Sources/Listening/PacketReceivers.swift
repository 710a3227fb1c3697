import Beacon
import Captures

/// Identifies the receiver of a capture's packet.
struct CapturedReceiver: Hashable {
    var interface: UInt16
    var adapter: UInt16

    init(of record: borrowing CapturedRecord) {
        interface = record.interface
        adapter = record.adapter
    }

    /// Unique among the receivers of the capture.
    var number: UInt32 { UInt32(interface) << 16 | UInt32(adapter) }
}

/// Who received the packets of a capture: each adapter of a monitor's, each interface of a pcapng file. As long as only
/// one of them has brought advertising reports, it is the capture itself, and it keeps the capture's ID.
struct PacketReceivers {
    private let source: SourceID
    private let receivers: Receivers?
    /// Nil if receivers are distinguished by adapter.
    private let interfaceNames: InterfaceNames?
    /// The only one so far.
    private var first: CapturedReceiver?
    /// Empty until the second receiver's first report.
    private var ids: [CapturedReceiver: SourceID] = [:]
    /// Of the last report: most packets are from the same receiver as the one before.
    private var last: (receiver: CapturedReceiver, id: SourceID)?

    init(source: SourceID, receivers: Receivers?, interfaceNames: InterfaceNames?, format: CaptureFormat) {
        self.source = source
        self.receivers = receivers
        self.interfaceNames = format.tellsAdapters ? nil : interfaceNames
    }

    /// - Parameter hasReports: the record has advertising reports. Only asked for where it matters.
    @inline(__always)
    mutating func id(of receiver: CapturedReceiver, hasReports: @autoclosure () -> Bool) -> SourceID {
        if let last, last.receiver == receiver { return last.id }
        return hasReports() ? id(ofOther: receiver) : source
    }

    @inline(never)
    private mutating func id(ofOther receiver: CapturedReceiver) -> SourceID {
        let id = if let receivers { id(of: receiver, in: receivers) } else { source }
        last = (receiver, id)
        return id
    }

    private mutating func id(of receiver: CapturedReceiver, in receivers: Receivers) -> SourceID {
        if ids.isEmpty {
            if first == receiver { return source }
            if let first {
                ids[first] = receivers.name(source, asScanner: name(of: first))
            } else if !receivers.isNamed(source) {
                first = receiver
                return source
            }
            // Or they are known from an earlier reading of the same capture.
        }
        if let id = ids[receiver] { return id }
        let id = receivers.id(ofScanner: name(of: receiver), from: source)
        // A forged capture may name any number of receivers. There are not more IDs than this.
        if ids.count <= SourceID.last.place { ids[receiver] = id }
        return id
    }

    private func name(of receiver: CapturedReceiver) -> String {
        guard let interfaceNames else { return "hci\(receiver.adapter)" }
        return interfaceNames.name(receiver.interface) ?? "interface \(receiver.interface)"
    }
}
