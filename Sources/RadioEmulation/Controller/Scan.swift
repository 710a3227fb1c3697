import Beacon

/// A scan's parameters from the host. Core Specification Vol 4, Part E, 7.8.10 and 7.8.64.
struct ScanSettings: Sendable {
    var isActive = false
    /// Units of 0.625 ms. After a reset: 10 ms, with continuous listening.
    var interval: UInt16 = 0x0010
    var window: UInt16 = 0x0010
    var ownAddressIsRandom = false
}

/// A running scan.
struct Scan: Sendable {
    let settings: ScanSettings
    let isExtended: Bool
    let start: Duration
    var filtersDuplicates: Bool
    /// The length of one round of scanning; nil for an unlimited scan.
    var duration: Duration?
    /// From the start of one round to the next; nil for a single round.
    var period: Duration?
    private var reported: Set<Reported> = []
    private var round = 0

    /// The key of an advertisement in the duplicate filter.
    private struct Reported: Hashable {
        var address: DeviceAddress
        var addressType: AddressType
        var advertisingSID: UInt8
        var isScanResponse: Bool
    }

    /// Real controllers have a short list too. When it is full, it is cleared.
    private static let duplicateCapacity = 256

    init(
        settings: ScanSettings, isExtended: Bool, start: Duration, filtersDuplicates: Bool,
        duration: Duration? = nil, period: Duration? = nil
    ) {
        self.settings = settings
        self.isExtended = isExtended
        self.start = start
        self.filtersDuplicates = filtersDuplicates
        self.duration = duration
        self.period = period
    }

    /// When the scan ends by itself.
    var endsAt: Duration? {
        period == nil ? duration.map { start + $0 } : nil
    }

    /// Whether the receiver listens at an instant on one of the given channels. It takes 37, 38 and 39 in turn, one per
    /// interval. Core Specification Vol 6, Part B, 4.4.3.
    func isListening(at now: Duration, channelMap: UInt8) -> Bool {
        var elapsed = (now - start).microseconds
        guard elapsed >= 0 else { return false }
        if let period, let duration {
            elapsed %= max(1, period.microseconds)
            guard elapsed < duration.microseconds else { return false }
        }
        let interval = Int64(settings.interval) * 625
        let channel = UInt8(elapsed / interval % 3)
        return elapsed % interval < Int64(settings.window) * 625 && channelMap & 1 << channel != 0
    }

    /// Whether the duplicate filter drops this PDU because it was reported before.
    mutating func isDuplicate(_ pdu: AdvertisingPDU, isScanResponse: Bool, at now: Duration) -> Bool {
        guard filtersDuplicates else { return false }
        if let period {
            let current = Int((now - start).microseconds / max(1, period.microseconds))
            if current != round {
                round = current
                reported = []
            }
        }
        if reported.count >= Self.duplicateCapacity {
            reported = []
        }
        return !reported.insert(
            Reported(
                address: pdu.address, addressType: pdu.addressType, advertisingSID: pdu.advertisingSID,
                isScanResponse: isScanResponse)
        ).inserted
    }
}
