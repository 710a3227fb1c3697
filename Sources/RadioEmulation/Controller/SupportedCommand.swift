import HCI

/// The two families of advertising and scanning commands. A host may use only one between resets.
enum CommandFamily: Sendable {
    case legacy
    case extended
}

/// The number of octets of a command's parameters.
enum ParameterLength: Sendable {
    case exactly(Int)
    /// The rest depends on the command's own fields; its handler checks it.
    case atLeast(Int)

    func allows(_ count: Int) -> Bool {
        switch self {
        case .exactly(let length): count == length
        case .atLeast(let length): count >= length
        }
    }
}

/// One command that virtual controllers support: the checks before it, and its effect.
///
/// To add a command, add a value to one of the lists in `all`.
struct SupportedCommand: Sendable {
    /// Returns the return parameters after the status.
    typealias Handler =
        @Sendable (inout VirtualController, inout CommandParameters, Duration) throws(Refusal) -> [UInt8]

    let opcode: OpCode
    /// Octet and bit in Read Local Supported Commands. Core Specification Vol 4, Part E, 6.27.
    let octet: Int
    let bit: Int
    let length: ParameterLength
    let family: CommandFamily?
    /// Which controllers have the command. The others answer Unknown HCI Command.
    let need: Need
    let perform: Handler

    enum Need: Sendable {
        case nothing
        case dualMode
        case legacyCommands
        case extendedCommands
    }

    init(
        _ opcode: OpCode, octet: Int, bit: Int, length: ParameterLength = .exactly(0), family: CommandFamily? = nil,
        need: Need? = nil, perform: @escaping Handler
    ) {
        self.opcode = opcode
        self.octet = octet
        self.bit = bit
        self.length = length
        self.family = family
        self.need =
            switch family {
            case nil: need ?? .nothing
            case .legacy: .legacyCommands
            case .extended: .extendedCommands
            }
        self.perform = perform
    }

    func isSupported(by profile: ControllerProfile) -> Bool {
        switch need {
        case .nothing: true
        case .dualMode: profile.isDualMode
        case .legacyCommands: profile.hasLegacyCommands
        case .extendedCommands: profile.hasExtendedCommands
        }
    }

    /// Every command by its opcode.
    static let all: [OpCode: SupportedCommand] = Dictionary(
        (general + classic + legacyAdvertising + extendedAdvertising + scanning).map { ($0.opcode, $0) },
        uniquingKeysWith: { first, _ in first })
}
