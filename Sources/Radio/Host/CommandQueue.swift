package import HCI

/// The host's side of command flow control: one command in flight, sent when the controller gives credit, each with a
/// time-out. Core Specification Vol 4, Part E, 4.4.
///
/// Pure: it takes what happened and returns what to do. The caller has the clock and the transport.
package struct CommandQueue: Sendable {
    package typealias ID = UInt64

    package enum Action: Hashable, Sendable {
        /// Send this, then call `timedOut(id)` if the limit passes without an answer.
        case send(Command, ID)
        case finish(ID, Outcome)
    }

    package enum Outcome: Hashable, Sendable {
        case answered(CommandAnswer)
        case timedOut
        case closed
    }

    private struct Entry {
        var id: ID
        var command: Command
    }

    private var waiting: [Entry] = []
    private var inFlight: Entry?
    private var credit: UInt8 = 1
    private var nextID: ID = 0
    private var isClosed = false

    package init() {}

    package mutating func submit(_ command: Command) -> (id: ID, actions: [Action]) {
        nextID += 1
        let id = nextID
        guard !isClosed else { return (id, [.finish(id, .closed)]) }
        waiting.append(Entry(id: id, command: command))
        return (id, sendNext())
    }

    /// An answer arrived: to our command, to another program's on a shared adapter, or only an update of the credit.
    package mutating func received(_ answer: CommandAnswer) -> [Action] {
        credit = answer.credit
        guard let entry = inFlight, entry.command.opcode == answer.opcode else { return sendNext() }
        inFlight = nil
        return [.finish(entry.id, .answered(answer))] + sendNext()
    }

    package mutating func timedOut(_ id: ID) -> [Action] {
        if let entry = inFlight, entry.id == id {
            inFlight = nil
            // A controller that lost a command gives no credit for it, which would block all further commands.
            credit = max(credit, 1)
            return [.finish(id, .timedOut)] + sendNext()
        }
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return [] }
        waiting.remove(at: index)
        return [.finish(id, .timedOut)]
    }

    /// The transport has ended: no command will be answered any more.
    package mutating func close() -> [Action] {
        isClosed = true
        let entries = (inFlight.map { [$0] } ?? []) + waiting
        inFlight = nil
        waiting = []
        return entries.map { .finish($0.id, .closed) }
    }

    private mutating func sendNext() -> [Action] {
        guard inFlight == nil, credit > 0, !waiting.isEmpty else { return [] }
        let entry = waiting.removeFirst()
        inFlight = entry
        credit -= 1
        return [.send(entry.command, entry.id)]
    }
}
