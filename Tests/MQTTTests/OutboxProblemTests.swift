import MQTT
import Testing

@Suite("The outbox's problems")
struct OutboxProblemTests {
    private typealias Action = OutboxProblems.Action

    private let full = Action.report(
        "full: the oldest events are dropped until the broker takes them (mqtt.outbox_events)")
    private let disk = Action.report("events wait in memory only: no space")

    @Test("are each reported once, and their end once")
    func once() {
        var problems = OutboxProblems()
        var actions = [problems.note(isDropping: false, hasRoom: true, disk: nil)]
        actions.append(problems.note(isDropping: true, hasRoom: false, disk: nil))
        actions.append(problems.note(isDropping: true, hasRoom: false, disk: nil))
        actions.append(problems.note(isDropping: false, hasRoom: false, disk: nil))
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: nil))
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: nil))
        #expect(actions == [[], [full], [], [], [.ended], []])
        actions = [problems.note(isDropping: false, hasRoom: true, disk: "no space")]
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: "cannot be opened"))
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: nil))
        #expect(actions == [[disk], [], [.ended]])
    }

    @Test("have not ended when the disk recovers while the outbox is full")
    func fullOutlastsDisk() {
        var problems = OutboxProblems()
        var actions = [problems.note(isDropping: true, hasRoom: false, disk: nil)]
        actions.append(problems.note(isDropping: true, hasRoom: false, disk: "no space"))
        actions.append(problems.note(isDropping: false, hasRoom: false, disk: nil))
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: nil))
        #expect(actions == [[full], [disk], [full], [.ended]], "the status shows what lasts")
    }

    @Test("have not ended when the outbox has room while the disk fails")
    func diskOutlastsFull() {
        var problems = OutboxProblems()
        var actions = [problems.note(isDropping: true, hasRoom: false, disk: "no space")]
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: "no space"))
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: nil))
        #expect(actions == [[full, disk], [], [.ended]])
    }

    @Test("that begin as another one ends do not end it")
    func change() {
        var problems = OutboxProblems()
        var actions = [problems.note(isDropping: false, hasRoom: true, disk: "no space")]
        actions.append(problems.note(isDropping: true, hasRoom: false, disk: nil))
        actions.append(problems.note(isDropping: false, hasRoom: true, disk: nil))
        #expect(actions == [[disk], [full], [.ended]])
    }
}
