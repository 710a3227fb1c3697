import HCI

/// Advertising by the legacy commands. Core Specification Vol 4, Part E, 7.8.5 to 7.8.9.
extension SupportedCommand {
    static let legacyAdvertising: [SupportedCommand] = [
        SupportedCommand(
            .leSetAdvertisingParameters, octet: 25, bit: 5, length: .exactly(15), family: .legacy
        ) { controller, parameters, _ throws(Refusal) in
            try controller.leSetAdvertisingParameters(&parameters)
        },
        SupportedCommand(.leReadAdvertisingPhysicalChannelTxPower, octet: 25, bit: 6, need: .legacyCommands) {
            controller, _, _ in
            // Hosts send this during setup, so it does not select the command family.
            [UInt8(bitPattern: controller.profile.greatestTransmitPower)]
        },
        SupportedCommand(.leSetAdvertisingData, octet: 25, bit: 7, length: .exactly(32), family: .legacy) {
            controller, parameters, _ throws(Refusal) in
            controller.state.legacyAdvertising.data.octets = try parameters.lengthAndData()
            return []
        },
        SupportedCommand(.leSetScanResponseData, octet: 26, bit: 0, length: .exactly(32), family: .legacy) {
            controller, parameters, _ throws(Refusal) in
            controller.state.legacyAdvertising.scanResponse.octets = try parameters.lengthAndData()
            return []
        },
        SupportedCommand(.leSetAdvertisingEnable, octet: 26, bit: 1, length: .exactly(1), family: .legacy) {
            controller, parameters, _ throws(Refusal) in
            try controller.leSetAdvertisingEnable(parameters.octet())
        },
    ]
}

extension OpCode {
    static let leReadAdvertisingPhysicalChannelTxPower = OpCode(ogf: 0x08, ocf: 0x007)
}

extension CommandParameters {
    /// A length of at most 31, and this many of the 31 octets after it.
    fileprivate mutating func lengthAndData() throws(Refusal) -> [UInt8] {
        let length = octet()
        try require(length <= 31, else: .invalidParameters)
        return octets(Int(length))
    }
}

extension VirtualController {
    fileprivate mutating func leSetAdvertisingParameters(
        _ parameters: inout CommandParameters
    ) throws(Refusal) -> [UInt8] {
        let minimum = parameters.uint16()
        let maximum = parameters.uint16()
        let type = parameters.octet()
        let ownAddressType = parameters.octet()
        _ = (parameters.octet(), parameters.address())  // peer
        let channelMap = parameters.octet() & 0x07
        let filterPolicy = parameters.octet()

        try require(!state.legacyAdvertising.isEnabled, else: .commandDisallowed)
        try require(type <= 4 && ownAddressType <= 3 && filterPolicy <= 3, else: .invalidParameters)
        try require(minimum <= maximum && channelMap != 0, else: .invalidParameters)
        // Directed advertising needs connections, and resolvable addresses need privacy. Neither is supported.
        try require(type != 1 && type != 4 && ownAddressType <= 1, else: .unsupported)
        let shortest = type == 0 ? 0x0020 : profile.shortestNonconnectableInterval
        try require(minimum >= shortest && maximum <= 0x4000, else: .unsupported)

        state.legacyAdvertising.properties =
            switch type {
            case 0: .legacyConnectable
            case 2: .legacyScannable
            default: .legacyNonconnectable
            }
        state.legacyAdvertising.interval = UInt32(minimum)
        state.legacyAdvertising.ownAddressIsRandom = ownAddressType == 1
        state.legacyAdvertising.channelMap = channelMap
        return []
    }

    fileprivate mutating func leSetAdvertisingEnable(_ enable: UInt8) throws(Refusal) -> [UInt8] {
        try require(enable <= 1, else: .invalidParameters)
        guard enable == 1 else {
            state.legacyAdvertising.disable()
            return []
        }
        try require(
            !state.legacyAdvertising.ownAddressIsRandom || state.randomAddress != nil, else: .invalidParameters)
        if !state.legacyAdvertising.isEnabled {
            state.legacyAdvertising.enable()
        }
        return []
    }
}
