import Beacon
import HCI

/// Advertising sets. Core Specification Vol 4, Part E, 7.8.52 to 7.8.60.
extension SupportedCommand {
    static let extendedAdvertising: [SupportedCommand] = [
        SupportedCommand(
            .leSetAdvertisingSetRandomAddress, octet: 36, bit: 1, length: .exactly(7), family: .extended
        ) { controller, parameters, _ throws(Refusal) in
            try controller.leSetAdvertisingSetRandomAddress(&parameters)
        },
        SupportedCommand(
            .leSetExtendedAdvertisingParameters, octet: 36, bit: 2, length: .exactly(25), family: .extended
        ) { controller, parameters, _ throws(Refusal) in
            try controller.leSetExtendedAdvertisingParameters(&parameters)
        },
        SupportedCommand(
            .leSetExtendedAdvertisingData, octet: 36, bit: 3, length: .atLeast(4), family: .extended
        ) { controller, parameters, _ throws(Refusal) in
            try controller.setExtendedData(&parameters, of: \.data, isScanResponse: false)
        },
        SupportedCommand(
            .leSetExtendedScanResponseData, octet: 36, bit: 4, length: .atLeast(4), family: .extended
        ) { controller, parameters, _ throws(Refusal) in
            try controller.setExtendedData(&parameters, of: \.scanResponse, isScanResponse: true)
        },
        SupportedCommand(
            .leSetExtendedAdvertisingEnable, octet: 36, bit: 5, length: .atLeast(2), family: .extended
        ) { controller, parameters, now throws(Refusal) in
            try controller.leSetExtendedAdvertisingEnable(&parameters, at: now)
        },
        // Hosts send the next two during setup, so they do not select the command family.
        SupportedCommand(.leReadMaximumAdvertisingDataLength, octet: 36, bit: 6, need: .extendedCommands) {
            controller, _, _ in
            var answer: [UInt8] = []
            answer.append(littleEndian: UInt16(clamping: controller.profile.longestAdvertisingData))
            return answer
        },
        SupportedCommand(.leReadNumberOfSupportedAdvertisingSets, octet: 36, bit: 7, need: .extendedCommands) {
            controller, _, _ in
            [UInt8(clamping: controller.profile.advertisingSets)]
        },
        SupportedCommand(.leRemoveAdvertisingSet, octet: 37, bit: 0, length: .exactly(1), family: .extended) {
            controller, parameters, _ throws(Refusal) in
            let handle = try parameters.advertisingHandle()
            let set = try controller.existingSet(handle)
            try require(!set.isEnabled, else: .commandDisallowed)
            controller.state.advertisingSets[handle] = nil
            return []
        },
        SupportedCommand(.leClearAdvertisingSets, octet: 37, bit: 1, family: .extended) {
            controller, _, _ throws(Refusal) in
            let isAnyEnabled = controller.state.advertisingSets.values.contains { $0.isEnabled }
            try require(!isAnyEnabled, else: .commandDisallowed)
            controller.state.advertisingSets = [:]
            return []
        },
    ]
}

extension OpCode {
    static let leReadMaximumAdvertisingDataLength = OpCode(ogf: 0x08, ocf: 0x03A)
}

extension CommandParameters {
    /// 0x00 to 0xEF.
    fileprivate mutating func advertisingHandle() throws(Refusal) -> AdvertisingHandle {
        let handle = octet()
        try require(handle <= 0xEF, else: .invalidParameters)
        return AdvertisingHandle(rawValue: handle)
    }
}

extension VirtualController {
    fileprivate func existingSet(_ handle: AdvertisingHandle) throws(Refusal) -> AdvertisingSet {
        guard let set = state.advertisingSets[handle] else { throw .unknownAdvertisingIdentifier }
        return set
    }

    fileprivate mutating func leSetAdvertisingSetRandomAddress(
        _ parameters: inout CommandParameters
    ) throws(Refusal) -> [UInt8] {
        let handle = try parameters.advertisingHandle()
        var set = try existingSet(handle)
        try require(!(set.isEnabled && set.properties.contains(.connectable)), else: .commandDisallowed)
        set.randomAddress = parameters.address()
        state.advertisingSets[handle] = set
        return []
    }

    // MARK: - Parameters

    fileprivate mutating func leSetExtendedAdvertisingParameters(
        _ parameters: inout CommandParameters
    ) throws(Refusal) -> [UInt8] {
        let handle = try parameters.advertisingHandle()
        let properties = parameters.uint16()
        let minimum = parameters.uint24()
        let maximum = parameters.uint24()
        let channelMap = parameters.octet() & 0x07
        let ownAddressType = parameters.octet()
        _ = (parameters.octet(), parameters.address())  // peer
        let filterPolicy = parameters.octet()
        let requestedPower = Int8(bitPattern: parameters.octet())
        let primaryPHY = parameters.octet()
        _ = parameters.octet()  // skip
        let secondaryPHY = parameters.octet()
        let advertisingSID = parameters.octet()
        let notifiesScanRequests = parameters.octet()

        var set = state.advertisingSets[handle] ?? AdvertisingSet()
        try require(!set.isEnabled, else: .commandDisallowed)
        let kind = AdvertisingProperties(rawValue: properties & 0x3F)
        try Self.check(kind, primaryPHY: primaryPHY, secondaryPHY: secondaryPHY)
        try require(minimum <= maximum && channelMap != 0, else: .invalidParameters)
        try require(ownAddressType <= 3 && filterPolicy <= 3 && notifiesScanRequests <= 1, else: .invalidParameters)
        try require(advertisingSID <= 0x0F, else: .invalidParameters)
        try require(requestedPower <= 20 || requestedPower == 127, else: .invalidParameters)
        let isTooLong = kind.contains(.legacy) && max(set.data.octets.count, set.scanResponse.octets.count) > 31
        try require(!isTooLong, else: .invalidParameters)
        try require(minimum >= 0x20 && ownAddressType <= 1, else: .unsupported)
        let isNew = state.advertisingSets[handle] == nil
        try require(!isNew || state.advertisingSets.count < profile.advertisingSets, else: .memoryCapacityExceeded)

        set.properties = kind
        set.interval = minimum
        set.channelMap = channelMap
        set.ownAddressIsRandom = ownAddressType == 1
        set.advertisingSID = kind.contains(.legacy) ? 0xFF : advertisingSID
        set.secondaryPHY = kind.contains(.legacy) ? 0 : secondaryPHY
        set.transmitPower = min(requestedPower, profile.greatestTransmitPower)
        set.includesTransmitPower = properties & 1 << 6 != 0
        state.advertisingSets[handle] = set
        return [UInt8(bitPattern: set.transmitPower)]
    }

    private static func check(
        _ kind: AdvertisingProperties, primaryPHY: UInt8, secondaryPHY: UInt8
    ) throws(Refusal) {
        if kind.contains(.legacy) {
            let legacyKinds: [UInt16] = [0x10, 0x12, 0x13, 0x15, 0x1D]
            try require(legacyKinds.contains(kind.rawValue) && primaryPHY == 1, else: .invalidParameters)
        } else {
            let isBoth = kind.isSuperset(of: [.connectable, .scannable])
            let isAnonymousAndAnswers = kind.contains(.anonymous) && !kind.isDisjoint(with: [.connectable, .scannable])
            // Bit 3, the high duty cycle, is for legacy directed advertising only.
            try require(!isBoth && !isAnonymousAndAnswers && !kind.contains(.scanResponse), else: .invalidParameters)
            try require(primaryPHY == 1 || primaryPHY == 3, else: .invalidParameters)
            try require((1...3).contains(secondaryPHY), else: .invalidParameters)
            // LE Coded is not supported.
            try require(primaryPHY == 1 && secondaryPHY != 3, else: .unsupported)
        }
        try require(!kind.contains(.directed), else: .unsupported)
    }

    // MARK: - Data

    fileprivate mutating func setExtendedData(
        _ parameters: inout CommandParameters, of field: WritableKeyPath<AdvertisingSet, AdvertisingPayload>,
        isScanResponse: Bool
    ) throws(Refusal) -> [UInt8] {
        let handle = try parameters.advertisingHandle()
        let operation = parameters.octet()
        let fragmentPreference = parameters.octet()
        let length = Int(parameters.octet())
        try require(operation <= 4 && fragmentPreference <= 1, else: .invalidParameters)
        try require(parameters.count == 4 + length && length <= 251, else: .invalidParameters)
        var set = try existingSet(handle)
        try Self.check(operation, length: length, for: set, isScanResponse: isScanResponse)

        let piece = parameters.octets(length)
        var payload = set[keyPath: field]
        switch operation {
        case 0, 2:  // intermediate, last
            payload.octets += piece
            payload.isComplete = operation == 2
        case 1, 3:  // first, complete
            payload = AdvertisingPayload(octets: piece, isComplete: operation == 3)
        default:  // unchanged: only the identifier of the data is new
            break
        }
        let isTooLong = payload.octets.count > profile.longestAdvertisingData
        set[keyPath: field] = isTooLong ? AdvertisingPayload() : payload
        state.advertisingSets[handle] = set
        try require(!isTooLong, else: .memoryCapacityExceeded)
        return []
    }

    private static func check(
        _ operation: UInt8, length: Int, for set: AdvertisingSet, isScanResponse: Bool
    ) throws(Refusal) {
        let isLegacy = set.properties.contains(.legacy)
        let isScannable = set.properties.contains(.scannable)
        // Extended scannable PDUs have all their data in the scan response.
        try require(isScanResponse ? isScannable : isLegacy || !isScannable, else: .invalidParameters)
        if isLegacy {
            try require(operation == 3 && length <= 31, else: .invalidParameters)
        }
        if operation == 4 {
            let hasData = !set.data.octets.isEmpty
            try require(
                !isScanResponse && set.isEnabled && hasData && length == 0, else: .invalidParameters)
        } else if operation != 3 {
            try require(length > 0, else: .invalidParameters)
            try require(!set.isEnabled, else: .commandDisallowed)
        }
    }

    // MARK: - Enable

    fileprivate mutating func leSetExtendedAdvertisingEnable(
        _ parameters: inout CommandParameters, at now: Duration
    ) throws(Refusal) -> [UInt8] {
        let enable = parameters.octet()
        let count = Int(parameters.octet())
        try require(enable <= 1 && parameters.count == 2 + 4 * count, else: .invalidParameters)
        try require(enable == 0 || count > 0, else: .invalidParameters)

        // Everything is checked first, so that an error changes nothing.
        var changed: [AdvertisingHandle: AdvertisingSet] = [:]
        for _ in 0..<count {
            let handle = try parameters.advertisingHandle()
            let duration = parameters.uint16()
            let events = parameters.octet()
            try require(changed[handle] == nil, else: .invalidParameters)
            var set = try existingSet(handle)
            if enable == 1 {
                try Self.checkReady(set)
                set.enable(
                    endsAt: duration == 0 ? nil : now + .milliseconds(10 * Int(duration)),
                    events: events == 0 ? nil : events)
            } else {
                set.disable()
            }
            changed[handle] = set
        }
        if count == 0 {
            changed = state.advertisingSets
            for handle in changed.keys {
                changed[handle]?.disable()
            }
        }
        state.advertisingSets.merge(changed) { _, new in new }
        return []
    }

    private static func checkReady(_ set: AdvertisingSet) throws(Refusal) {
        try require(set.data.isComplete && set.scanResponse.isComplete, else: .commandDisallowed)
        let needsResponse = set.properties.contains(.scannable) && !set.properties.contains(.legacy)
        try require(!needsResponse || !set.scanResponse.octets.isEmpty, else: .commandDisallowed)
        try require(!set.ownAddressIsRandom || set.randomAddress != nil, else: .invalidParameters)
    }
}
