import Beacon

/// Puts together extended advertising payloads that a controller reports in pieces, by address and advertising set.
/// Core Specification Vol 4, Part E, 7.7.65.13 (Data_Status).
///
/// Bounded: at most `capacity` payloads are open at a time (the oldest gives way), none longer than 1,650 octets
/// (the longest advertising data there is, Vol 6, Part B, 2.3.4.9).
package struct FragmentAssembler: Sendable {
    private struct Open {
        var address: DeviceAddress
        var addressType: AddressType
        var sid: UInt8
        var data: [UInt8]
    }

    private var open: [Open] = []
    private let capacity: Int
    /// Payloads given up because they grew too long, or to make room.
    package private(set) var discarded = 0

    package static let longestPayload = 1650

    package init(capacity: Int = 64) {
        self.capacity = max(1, capacity)
    }

    /// Whether a report can be read by itself: nothing of its payload came earlier, and nothing will come later.
    package func isWhole(_ report: AdvertisingReport) -> Bool {
        report.dataStatus != .moreToCome && (open.isEmpty || index(of: report) == nil)
    }

    /// Takes in one piece. Returns the whole payload when this was the last, else nil.
    package mutating func assemble(_ report: AdvertisingReport, _ piece: RawSpan) -> [UInt8]? {
        let found = index(of: report)
        var entry =
            if let found { open.remove(at: found) } else {
                Open(
                    address: report.address, addressType: report.addressType, sid: report.advertisingSID, data: [])
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

    private func index(of report: AdvertisingReport) -> Int? {
        guard report.isExtended else { return nil }
        return open.firstIndex {
            $0.address == report.address && $0.sid == report.advertisingSID && $0.addressType == report.addressType
        }
    }
}
