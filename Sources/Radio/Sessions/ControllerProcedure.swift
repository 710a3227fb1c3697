package import HCI
import Platform

/// Which of the two families of LE advertising and scanning commands a session uses. After a reset, a controller
/// accepts only one of them (Core Specification Vol 4, Part E, 3.1.1).
package enum CommandFamily: Hashable, Sendable {
    case legacy
    case extended

    var other: CommandFamily { self == .legacy ? .extended : .legacy }
}

/// The commands that bring a controller into a state: reset it if it is exclusive, read its features, choose the
/// command family, send that family's commands, and try the other family once if this one is refused.
///
/// Pure: give it each answer, and it says what to send next.
package struct ControllerProcedure: Sendable {
    /// One command, and whether the session can go on without it.
    package struct Step: Hashable, Sendable {
        package var command: Command
        package var isRequired: Bool

        package init(_ command: Command, isRequired: Bool = true) {
            self.command = command
            self.isRequired = isRequired
        }
    }

    package enum Action: Hashable, Sendable {
        case send(Command)
        /// The controller is in the wanted state, with this family.
        case done(CommandFamily)
        /// A required command was refused.
        case refused(OpCode, ErrorCode)
    }

    private let sharing: ControllerSharing
    private let steps: @Sendable (CommandFamily) -> [Step]
    private var pending: [Step]
    private var current: Step?
    private var family: CommandFamily?
    private var features: LEFeatures?
    private var firstRefusal: (OpCode, ErrorCode)?
    private let isFamilyFixed: Bool
    private var hasSteps = false

    /// - Parameter steps: the commands that lead to the wanted state, by family, in the right order.
    package init(sharing: ControllerSharing, steps: @escaping @Sendable (CommandFamily) -> [Step]) {
        self.sharing = sharing
        self.steps = steps
        pending = Self.preparation(sharing) + [Step(.leReadLocalSupportedFeatures, isRequired: false)]
        isFamilyFixed = false
    }

    /// A procedure for a controller whose family is known: only these commands, which are computed when it starts.
    init(
        family: CommandFamily, sharing: ControllerSharing = .shared,
        steps: @escaping @Sendable (CommandFamily) -> [Step]
    ) {
        self.sharing = sharing
        self.steps = steps
        self.family = family
        pending = Self.preparation(sharing)
        isFamilyFixed = true
    }

    /// The first thing to send.
    package mutating func start() -> Action {
        next()
    }

    /// What to do after this answer to the command sent last.
    package mutating func answered(_ answer: CommandAnswer) -> Action {
        guard let step = current else { return next() }
        if answer.opcode == .leReadLocalSupportedFeatures, answer.status == .success {
            features = LEFeatures(returnParameters: answer.returnParameters)
        }
        guard answer.status != .success, step.isRequired else { return next() }
        return refused(step.command.opcode, answer.status)
    }

    private mutating func next() -> Action {
        if pending.isEmpty, !hasSteps {
            let chosen = family ?? (features?.hasExtendedAdvertising == true ? .extended : .legacy)
            family = chosen
            hasSteps = true
            pending = steps(chosen)
        }
        guard !pending.isEmpty else { return .done(family ?? .legacy) }
        let step = pending.removeFirst()
        current = step
        return .send(step.command)
    }

    private mutating func refused(_ opcode: OpCode, _ status: ErrorCode) -> Action {
        // Feature bits can be wrong, and another program may have used the other family since the last reset.
        let isAboutFamily = [.unknownCommand, .commandDisallowed, .unsupportedFeatureOrParameter].contains(status)
        guard isAboutFamily, !isFamilyFixed, firstRefusal == nil, let refused = family else {
            let (opcode, status) = firstRefusal ?? (opcode, status)
            return .refused(opcode, status)
        }
        firstRefusal = (opcode, status)
        family = refused.other
        pending = Self.preparation(sharing) + steps(refused.other)
        return next()
    }

    /// An exclusive controller is reset and set up first. On a shared one the kernel has done this.
    private static func preparation(_ sharing: ControllerSharing) -> [Step] {
        guard sharing == .exclusive else { return [] }
        return [Step(.reset), Step(.setEventMask()), Step(.leSetEventMask())]
    }
}

extension Host {
    /// Runs a procedure to its end, after those that were started before. Returns the family that the controller
    /// accepted.
    ///
    /// - Throws: on a time-out, if the connection ends, or if the controller refuses.
    package func run(_ procedure: ControllerProcedure, to purpose: String) async throws(RadioError) -> CommandFamily {
        await semaphore.wait()
        defer { semaphore.signal() }
        var procedure = procedure
        var action = procedure.start()
        while true {
            switch action {
            case .send(let command):
                action = procedure.answered(try await execute(command))
            case .done(let family):
                return family
            case .refused(let opcode, let status):
                throw RadioError(
                    .refused, at: name, "cannot \(purpose): the controller answered \(status) to \(opcode)",
                    remedy: Remedies.remedy(for: status, to: opcode, on: self), status: status)
            }
        }
    }
}
