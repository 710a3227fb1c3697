import HCI

/// Legacy and extended scanning. Core Specification Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65.
extension SupportedCommand {
    static let scanning: [SupportedCommand] = [
        SupportedCommand(.leSetScanParameters, octet: 26, bit: 2, length: .exactly(7), family: .legacy) {
            controller, parameters, _ throws(Refusal) in
            try controller.leSetScanParameters(&parameters)
        },
        SupportedCommand(.leSetScanEnable, octet: 26, bit: 3, length: .exactly(2), family: .legacy) {
            controller, parameters, now throws(Refusal) in
            try controller.leSetScanEnable(&parameters, at: now)
        },
        SupportedCommand(.leSetExtendedScanParameters, octet: 37, bit: 5, length: .atLeast(3), family: .extended) {
            controller, parameters, _ throws(Refusal) in
            try controller.leSetExtendedScanParameters(&parameters)
        },
        SupportedCommand(.leSetExtendedScanEnable, octet: 37, bit: 6, length: .exactly(6), family: .extended) {
            controller, parameters, now throws(Refusal) in
            try controller.leSetExtendedScanEnable(&parameters, at: now)
        },
    ]
}

extension VirtualController {
    fileprivate mutating func leSetScanParameters(_ parameters: inout CommandParameters) throws(Refusal) -> [UInt8] {
        let type = parameters.octet()
        let interval = parameters.uint16()
        let window = parameters.uint16()
        let ownAddressType = parameters.octet()
        let filterPolicy = parameters.octet()

        try require(state.scan == nil, else: .commandDisallowed)
        try require(type <= 1 && ownAddressType <= 3 && filterPolicy <= 3, else: .invalidParameters)
        try require(interval >= 0x0004 && interval <= 0x4000 && window >= 0x0004, else: .unsupported)
        try require(window <= interval, else: .invalidParameters)
        try require(ownAddressType <= 1, else: .unsupported)
        state.scanParameters = ScanSettings(
            isActive: type == 1, interval: interval, window: window, ownAddressIsRandom: ownAddressType == 1)
        return []
    }

    fileprivate mutating func leSetExtendedScanParameters(
        _ parameters: inout CommandParameters
    ) throws(Refusal) -> [UInt8] {
        let ownAddressType = parameters.octet()
        let filterPolicy = parameters.octet()
        let phys = parameters.octet()

        try require(state.scan == nil, else: .commandDisallowed)
        try require(ownAddressType <= 3 && filterPolicy <= 3 && phys != 0, else: .invalidParameters)
        try require(parameters.count == 3 + 5 * phys.nonzeroBitCount, else: .invalidParameters)
        // Only LE 1M: LE Coded (bit 2) is not supported.
        try require(phys == 0x01 && ownAddressType <= 1, else: .unsupported)
        let type = parameters.octet()
        let interval = parameters.uint16()
        let window = parameters.uint16()
        try require(type <= 1, else: .invalidParameters)
        try require(interval >= 0x0004 && window >= 0x0004, else: .unsupported)
        try require(window <= interval, else: .invalidParameters)
        state.scanParameters = ScanSettings(
            isActive: type == 1, interval: interval, window: window, ownAddressIsRandom: ownAddressType == 1)
        return []
    }

    fileprivate mutating func leSetScanEnable(
        _ parameters: inout CommandParameters, at now: Duration
    ) throws(Refusal) -> [UInt8] {
        let enable = parameters.octet()
        let filterDuplicates = parameters.octet()
        try require(enable <= 1, else: .invalidParameters)
        guard enable == 1 else {
            // The filter setting matters only when a scan starts.
            state.scan = nil
            return []
        }
        try require(filterDuplicates <= 1, else: .invalidParameters)
        try requireScannerAddress()
        if state.scan == nil {
            state.scan = Scan(
                settings: state.scanParameters, isExtended: false, start: now,
                filtersDuplicates: filterDuplicates == 1)
        } else {
            state.scan?.filtersDuplicates = filterDuplicates == 1
        }
        return []
    }

    fileprivate mutating func leSetExtendedScanEnable(
        _ parameters: inout CommandParameters, at now: Duration
    ) throws(Refusal) -> [UInt8] {
        let enable = parameters.octet()
        let filterDuplicates = parameters.octet()
        let duration = Int(parameters.uint16()) * 10_000
        let period = Int(parameters.uint16()) * 1_280_000
        try require(enable <= 1, else: .invalidParameters)
        guard enable == 1 else {
            state.scan = nil
            return []
        }
        try require(filterDuplicates <= 2, else: .invalidParameters)
        try require(filterDuplicates < 2 || (period > 0 && duration > 0), else: .invalidParameters)
        try require(period == 0 || duration == 0 || duration < period, else: .invalidParameters)
        try requireScannerAddress()
        // Without a duration the period has no meaning.
        state.scan = Scan(
            settings: state.scanParameters, isExtended: true, start: now, filtersDuplicates: filterDuplicates > 0,
            duration: duration == 0 ? nil : .microseconds(duration),
            period: duration == 0 || period == 0 ? nil : .microseconds(period))
        return []
    }

    private func requireScannerAddress() throws(Refusal) {
        try require(!state.scanParameters.ownAddressIsRandom || state.randomAddress != nil, else: .invalidParameters)
    }
}
