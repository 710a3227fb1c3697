package import Beacon
import HCI

/// An LE controller as a host sees it through HCI, as strict as the Core Specification lets it be.
///
/// A state machine without clock and air: commands go in and answers come out, what it hears goes in and reports come
/// out, and `advertisements` tells what it sends. Instants are time since the start of the emulation.
/// Core Specification Vol 4, Part E.
package struct VirtualController: Sendable {
    /// What it is able to do.
    package let profile: ControllerProfile
    /// The public device address.
    package let address: DeviceAddress

    // Everything below returns to its initial value with Reset.
    var state = State()

    /// What a reset forgets.
    struct State: Sendable {
        /// Vol 4, Part E, 7.3.1: LE Meta (bit 61) is off.
        var eventMask: UInt64 = 0x0000_1FFF_FFFF_FFFF
        /// Vol 4, Part E, 7.8.1: the extended advertising report (bit 12) is off.
        var leEventMask: UInt64 = 0x1F
        var randomAddress: DeviceAddress?
        /// What the host wrote, by the opcode that reads it.
        var classicSettings: [OpCode: [UInt8]] = [:]
        /// The family of commands that was used first.
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
    /// Data packets and packets that are too short to name a command are passed over, as there are no connections
    /// and nobody to answer.
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
            // Vol 4, Part E, 3.1.1: the two families may not be mixed.
            try require(state.family == nil || state.family == family, else: .commandDisallowed)
            state.family = family
        }
        var parameters = CommandParameters(octets)
        return try command.perform(&self, &parameters, now)
    }

    /// Whether the host may see an event within LE Meta.
    func isUnmasked(_ subevent: LESubevent) -> Bool {
        state.eventMask & 1 << 61 != 0 && state.leEventMask & subevent.maskBit != 0
    }

    mutating func reset() {
        state = State()
        state.legacyAdvertising.transmitPower = profile.greatestTransmitPower
    }
}
