package import HCI

/// The host's side of command flow control: one command in flight, sent by the controller's credit, each with a limit
/// of time. Core Specification Vol 4, Part E, 4.4.
///
/// Pure: it takes what happened and returns what to do; the caller owns the clock and the wire.
package struct CommandQueue: Sendable {
    package typealias ID = UInt64

    package enum Action: Hashable, Sendable {
        /// Put this on the wire, then call `timedOut(id)` when the limit passes without an answer.
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

    /// An answer arrived: to our command, to another program's on a shared adapter, or a mere update of the credit.
    package mutating func received(_ answer: CommandAnswer) -> [Action] {
        credit = answer.credit
        guard let entry = inFlight, entry.command.opcode == answer.opcode else { return sendNext() }
        inFlight = nil
        return [.finish(entry.id, .answered(answer))] + sendNext()
    }

    package mutating func timedOut(_ id: ID) -> [Action] {
        if let entry = inFlight, entry.id == id {
            inFlight = nil
            // A controller that swallowed one command gives no credit for it, and would block all that follow.
            credit = max(credit, 1)
            return [.finish(id, .timedOut)] + sendNext()
        }
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return [] }
        waiting.remove(at: index)
        return [.finish(id, .timedOut)]
    }

    /// The transport ended: nothing will be answered any more.
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
