package import Beacon
import HCI

/// An LE controller as a host sees it through HCI, as strict as the Core Specification allows.
///
/// A state machine without a clock. Its inputs are commands and received PDUs; its outputs are answers and reports.
/// `advertisements` is what it sends. Instants are times since the start of the emulation. Core Specification Vol 4,
/// Part E.
package struct VirtualController: Sendable {
    package let profile: ControllerProfile
    /// The public device address.
    package let address: DeviceAddress

    // Reset restores the initial value of everything below.
    var state = State()

    /// What a reset clears.
    struct State: Sendable {
        /// Vol 4, Part E, 7.3.1: LE Meta (bit 61) is off.
        var eventMask: UInt64 = 0x0000_1FFF_FFFF_FFFF
        /// Vol 4, Part E, 7.8.1: the extended advertising report (bit 12) is off.
        var leEventMask: UInt64 = 0x1F
        var randomAddress: DeviceAddress?
        /// Values that the host wrote, by the opcode that reads them.
        var classicSettings: [OpCode: [UInt8]] = [:]
        /// The command family that was used first.
        var family: CommandFamily?
        var legacyAdvertising = AdvertisingSet()
        var advertisingSets: [AdvertisingHandle: AdvertisingSet] = [:]
        var scanParameters = ScanSettings()
        var scan: Scan?
    }

    /// A controller just after power-on.
    package init(profile: ControllerProfile = .bluetooth5, address: DeviceAddress) {
        self.profile = profile
        self.address = address
        state.legacyAdvertising.transmitPower = profile.greatestTransmitPower
    }

    /// Takes one H4 packet from the host and returns the events that answer it, in order.
    ///
    /// Ignores data packets, because there are no connections, and packets that are too short to contain an opcode.
    package mutating func execute(_ packet: [UInt8], at now: Duration) -> [[UInt8]] {
        guard packet.count >= 4, packet[0] == PacketType.command.rawValue else { return [] }
        let opcode = OpCode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
        let parameters = Array(packet.dropFirst(4))
        do {
            let returned = try perform(opcode, parameters, announced: Int(packet[3]), at: now)
            return [EventPacket.commandComplete(opcode, .success, returned)]
        } catch {
            return [EventPacket.commandComplete(opcode, error.status)]
        }
    }

    private mutating func perform(
        _ opcode: OpCode, _ octets: [UInt8], announced: Int, at now: Duration
    ) throws(Refusal) -> [UInt8] {
        guard let command = SupportedCommand.all[opcode], command.isSupported(by: profile) else {
            throw .unknownCommand
        }
        try require(octets.count == announced && command.length.allows(announced), else: .invalidParameters)
        if let family = command.family {
            // Vol 4, Part E, 3.1.1: the two families must not be mixed.
            try require(state.family == nil || state.family == family, else: .commandDisallowed)
            state.family = family
        }
        var parameters = CommandParameters(octets)
        return try command.perform(&self, &parameters, now)
    }

    /// Whether the host enabled an LE Meta subevent.
    func isUnmasked(_ subevent: LESubevent) -> Bool {
        state.eventMask & 1 << 61 != 0 && state.leEventMask & subevent.maskBit != 0
    }

    mutating func reset() {
        state = State()
        state.legacyAdvertising.transmitPower = profile.greatestTransmitPower
    }
}
