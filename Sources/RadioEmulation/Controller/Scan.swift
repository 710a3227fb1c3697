import Beacon

/// What the host asked a scan to be. Core Specification Vol 4, Part E, 7.8.10 and 7.8.64.
struct ScanSettings: Sendable {
    var isActive = false
    /// Units of 0.625 ms; 10 ms, all of it listened to, after a reset.
    var interval: UInt16 = 0x0010
    var window: UInt16 = 0x0010
    var ownAddressIsRandom = false
}

/// A scan that runs.
struct Scan: Sendable {
    let settings: ScanSettings
    let isExtended: Bool
    let start: Duration
    var filtersDuplicates: Bool
    /// How long one round of scanning is; nil where it goes on.
    var duration: Duration?
    /// From the start of one round to the next; nil where there is only one.
    var period: Duration?
    private var reported: Set<Reported> = []
    private var round = 0

    /// What a controller knows an advertisement by when it leaves out duplicates.
    private struct Reported: Hashable {
        var address: DeviceAddress
        var addressType: AddressType
        var advertisingSID: UInt8
        var isScanResponse: Bool
    }

    /// As in real controllers the list is short: when it is full it starts anew.
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

    /// Whether the receiver is on at an instant, on a channel of the map. It takes 37, 38 and 39 in turn, one for
    /// each interval. Core Specification Vol 6, Part B, 4.4.3.
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

    /// Whether the host has had this before, as far as it wants to know.
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
