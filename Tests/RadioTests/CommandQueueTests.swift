import HCI
import Radio
import Testing

@Suite("The queue of commands")
struct CommandQueueTests {
    private let reset = Command(.reset)
    private let read = Command(.readBDADDR)

    /// Command Complete; opcode 0 only updates the credit.
    private func answer(_ opcode: OpCode, credit: UInt8 = 1) throws -> CommandAnswer {
        let event: [UInt8] = [
            0x0E, 4, credit, UInt8(truncatingIfNeeded: opcode.rawValue), UInt8(opcode.rawValue >> 8), 0,
        ]
        // A span cannot pass through a macro.
        let answer = CommandAnswer(event: event.span.bytes)
        return try #require(answer)
    }

    @Test("sends the first at once, and the next when the first is answered")
    func order() throws {
        var queue = CommandQueue()
        let first = queue.submit(reset)
        #expect(first.actions == [.send(reset, first.id)])
        let second = queue.submit(read)
        #expect(second.actions == [] && second.id != first.id)
        let complete = try answer(.reset)
        #expect(queue.received(complete) == [.finish(first.id, .answered(complete)), .send(read, second.id)])
    }

    @Test("waits for credit, which any answer may bring")
    func credit() throws {
        var queue = CommandQueue()
        let first = queue.submit(reset)
        let last = try answer(.reset, credit: 0)
        #expect(queue.received(last) == [.finish(first.id, .answered(last))])
        let second = queue.submit(read)
        #expect(second.actions == [])
        #expect(queue.received(try answer(OpCode(rawValue: 0), credit: 0)) == [])
        #expect(queue.received(try answer(OpCode(rawValue: 0))) == [.send(read, second.id)])
    }

    @Test("another program's answer ends nothing of ours")
    func foreign() throws {
        var queue = CommandQueue()
        let first = queue.submit(reset)
        #expect(queue.received(try answer(.readBDADDR)) == [])
        let complete = try answer(.reset)
        #expect(queue.received(complete) == [.finish(first.id, .answered(complete))])
    }

    @Test("a command that is never answered gives way to the next, though it took the credit")
    func timeOut() {
        var queue = CommandQueue()
        let first = queue.submit(reset)
        let second = queue.submit(read)
        #expect(queue.timedOut(first.id) == [.finish(first.id, .timedOut), .send(read, second.id)])
        // Only once.
        #expect(queue.timedOut(first.id) == [])
    }

    @Test("a command that waits too long is never sent")
    func waitsTooLong() throws {
        var queue = CommandQueue()
        let first = queue.submit(reset)
        let second = queue.submit(read)
        #expect(queue.timedOut(second.id) == [.finish(second.id, .timedOut)])
        let complete = try answer(.reset)
        #expect(queue.received(complete) == [.finish(first.id, .answered(complete))])
    }

    @Test("the end of the transport ends all, and what comes later at once")
    func close() {
        var queue = CommandQueue()
        let (first, second) = (queue.submit(reset), queue.submit(read))
        #expect(queue.close() == [.finish(first.id, .closed), .finish(second.id, .closed)])
        #expect(queue.close() == [])
        let late = queue.submit(reset)
        #expect(late.actions == [.finish(late.id, .closed)])
        #expect(queue.timedOut(first.id) == [])
    }

    /// All histories of six steps: three commands at most, answers to either, credit of 0 and 1, time-outs, the end.
    @Test("in every short history, each command ends once and one at most is in flight")
    func histories() throws {
        struct World {
            var queue = CommandQueue()
            var open: [CommandQueue.ID: Command] = [:]
            var flying: CommandQueue.ID?
            var sent: Set<CommandQueue.ID> = []
            var isClosed = false
        }
        let answers = try [answer(.reset), answer(.reset, credit: 0), answer(.readBDADDR), answer(OpCode(rawValue: 0))]
        // Some hundred thousand checks: only what fails is recorded.
        func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds { Issue.record("\(text())") }
        }
        func take(_ actions: [CommandQueue.Action], _ world: inout World, _ history: [Int]) {
            for action in actions {
                switch action {
                case .send(let command, let id):
                    check(world.flying == nil && world.open[id] == command && !world.isClosed, "\(history)")
                    check(world.sent.insert(id).inserted, "sent twice: \(history)")
                    world.flying = id
                case .finish(let id, let outcome):
                    let command = world.open.removeValue(forKey: id)
                    check(command != nil, "ends twice: \(history)")
                    if case .answered(let answer) = outcome {
                        check(world.flying == id && command?.opcode == answer.opcode, "\(history)")
                    }
                    if world.flying == id { world.flying = nil }
                }
            }
        }
        var count = 0
        func explore(_ world: World, _ history: [Int]) {
            count += 1
            guard history.count < 6 else { return }
            for number in 0..<9 {
                var next = world
                let actions: [CommandQueue.Action]
                switch number {
                case 0, 1:
                    guard world.open.count < 3 else { continue }
                    let command = number == 0 ? reset : read
                    let submitted = next.queue.submit(command)
                    next.open[submitted.id] = command
                    actions = submitted.actions
                case 2...5: actions = next.queue.received(answers[number - 2])
                case 6, 7:
                    let ids = world.open.keys.sorted()
                    guard let id = number == 6 ? ids.first : ids.last else { continue }
                    actions = next.queue.timedOut(id)
                default:
                    actions = next.queue.close()
                    next.isClosed = true
                }
                take(actions, &next, history + [number])
                if next.isClosed { check(next.open.isEmpty, "left open: \(history + [number])") }
                explore(next, history + [number])
            }
        }
        explore(World(), [])
        #expect(count > 100_000)
    }
}
