import Beacon

/// Joins extended advertising payloads that controllers report in pieces, by receiver, address and advertising set.
/// Core Specification Vol 4, Part E, 7.7.65.13 (Data_Status).
///
/// It is bounded: at most `capacity` payloads are open at a time (one more replaces the oldest), and none is longer
/// than 1,650 octets (the maximum length of advertising data, Vol 6, Part B, 2.3.4.9).
package struct FragmentAssembler: Sendable {
    private struct Open {
        var receiver: UInt32
        var address: DeviceAddress
        var addressType: AddressType
        var sid: UInt8
        var data: [UInt8]
    }

    private var open: [Open] = []
    private let capacity: Int
    /// Payloads that were dropped: they became too long, their rest was lost, or another one needed the room.
    package private(set) var discarded = 0

    package static let longestPayload = 1650

    package init(capacity: Int = 64) {
        self.capacity = max(1, capacity)
    }

    /// Whether a report holds its whole payload: no piece came before it and none will follow.
    package func isWhole(_ report: AdvertisingReport, from receiver: UInt32 = 0) -> Bool {
        report.dataStatus != .moreToCome && (open.isEmpty || index(of: report, from: receiver) == nil)
    }

    /// Whether a payload is open.
    var hasOpen: Bool { !open.isEmpty }

    /// Adds one piece. Returns the whole payload when this was the last piece, otherwise nil.
    package mutating func assemble(
        _ report: AdvertisingReport, _ piece: RawSpan, from receiver: UInt32 = 0
    ) -> [UInt8]? {
        let found = index(of: report, from: receiver)
        var entry =
            if let found { open.remove(at: found) } else {
                Open(
                    receiver: receiver, address: report.address, addressType: report.addressType,
                    sid: report.advertisingSID, data: [])
            }
        if report.dataStatus == .moreToCome, !piece.isEmpty, !entry.data.isEmpty {
            // The first piece again: the rest of the earlier advertisement was lost.
            let isFirst = piece.withUnsafeBytes { [data = entry.data] in data.starts(with: $0) }
            if isFirst {
                entry.data = []
                discarded += 1
            }
        }
        guard entry.data.count + piece.byteCount <= Self.longestPayload else {
            discarded += 1
            return nil
        }
        piece.withUnsafeBytes { entry.data.append(contentsOf: $0) }
        guard report.dataStatus == .moreToCome else { return entry.data }
        if open.count >= capacity {
            open.removeFirst()
            discarded += 1
        }
        open.append(entry)
        return nil
    }

    private func index(of report: AdvertisingReport, from receiver: UInt32) -> Int? {
        guard report.isExtended else { return nil }
        return open.firstIndex {
            $0.address == report.address && $0.sid == report.advertisingSID && $0.addressType == report.addressType
                && $0.receiver == receiver
        }
    }
}
