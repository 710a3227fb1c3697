import Platform
import Testing

private typealias Subject = Supervisor<String>

extension Supervisor.Action {
    fileprivate var alarm: Supervisor.Alarm? {
        if case .wait(let alarm, _) = self { alarm } else { nil }
    }

    fileprivate var seconds: Double? {
        if case .wait(_, let seconds) = self { seconds } else { nil }
    }
}

@Suite("The supervisor")
struct SupervisorTests {
    private static let rules = Subject.Rules(longestPause: 60, stableAfter: 30)

    /// A supervisor whose attempts fail at once, with the clock that its pauses advance.
    private struct Failing {
        var supervisor: Subject
        var now = 0.0
        private var alarm: Subject.Alarm?

        init(_ rules: Subject.Rules) {
            supervisor = Subject(rules: rules)
            _ = supervisor.handle(.start, at: 0)
        }

        /// Fails after so many seconds. Returns what is done until the next attempt, and how long that takes.
        mutating func fail(
            _ problem: String = "broken", after lasted: Double = 0, random: Double = 0
        ) -> (actions: [Subject.Action], pause: Double) {
            now += lasted
            var all = supervisor.handle(.failed(problem), at: now, random: random)
            var (new, pause) = (all, 0.0)
            while let wait = new.last, let alarm = wait.alarm, !new.contains(.start) {
                pause += wait.seconds ?? 0
                now += wait.seconds ?? 0
                new = supervisor.handle(.due(alarm), at: now)
                all += new
            }
            return (all, pause)
        }
    }

    @Test("starts again after pauses that grow, and a stable attempt makes them short again")
    func pauses() {
        var subject = Failing(Self.rules)
        #expect((0..<8).map { _ in subject.fail().pause } == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(subject.fail(after: 30).pause == 60)
        #expect(subject.fail(after: 31).pause == 1)
        #expect(subject.fail().pause == 2)
    }

    @Test("jitter makes a pause longer by its share at most, and what is reported stays")
    func jitter() {
        var rules = Self.rules
        rules.jitter = 0.1
        rules.reportsEveryFailure = true
        var subject = Failing(rules)
        for (random, expected) in [(0.0, 1.0), (1.0, 2.2), (0.5, 4.2)] {
            let (actions, pause) = subject.fail(random: random)
            #expect(abs(pause - expected) < 1e-9)
            #expect(actions.first == .report("broken", retry: expected.rounded(.down)))
        }
    }

    @Test("reports a problem once, another one again, and recovery once")
    func reports() {
        var subject = Failing(Self.rules)
        #expect(subject.fail("a").actions.first == .report("a", retry: 1))
        #expect(!subject.fail("a").actions.contains { if case .report = $0 { true } else { false } })
        let (actions, _) = subject.fail("b")
        #expect(actions.first == .report("b", retry: 4))
        #expect(subject.supervisor.handle(.succeeded, at: subject.now + 1) == [.reportRecovery])
        #expect(subject.supervisor.handle(.succeeded, at: subject.now + 2) == [])
        #expect(subject.fail("b", after: 3).actions.first == .report("b", retry: 8))
    }

    @Test("reports each failure where that is asked for")
    func everyFailure() {
        var rules = Self.rules
        rules.reportsEveryFailure = true
        var subject = Failing(rules)
        for retry in [1.0, 2, 4] { #expect(subject.fail().actions.first == .report("broken", retry: retry)) }
    }

    @Test("an attempt that says that it succeeded has recovered at once, and the first has nothing to recover from")
    func succeeded() {
        var subject = Failing(Self.rules)
        #expect(subject.supervisor.handle(.succeeded, at: 0) == [])
        #expect(subject.fail().actions.last == .start)
        #expect(subject.supervisor.handle(.succeeded, at: subject.now) == [.reportRecovery])
        #expect(subject.supervisor.handle(.succeeded, at: subject.now) == [])
    }

    @Test("what is missing and comes back ends a pause early, but not the first second of it")
    func retry() throws {
        var subject = Failing(Self.rules)
        _ = subject.fail()
        _ = subject.fail()
        // 4 s: a first one, and three more.
        let first = subject.supervisor.handle(.failed("x"), at: subject.now)
        let alarm = try #require(first.last?.alarm)
        #expect(first.last?.seconds == 1)
        #expect(subject.supervisor.handle(.retry, at: subject.now + 0.5) == [])
        // It was asked for meanwhile.
        #expect(subject.supervisor.handle(.due(alarm), at: subject.now + 1).first == .start)
        let second = try #require(subject.supervisor.handle(.failed("x"), at: subject.now + 1).last?.alarm)
        let rest = subject.supervisor.handle(.due(second), at: subject.now + 2)
        #expect(rest.map(\.seconds) == [7])
        #expect(subject.supervisor.handle(.retry, at: subject.now + 3).first == .start)
        // The pause that was cut short starts nothing more.
        let stale = try #require(rest.last?.alarm)
        #expect(subject.supervisor.handle(.due(stale), at: subject.now + 9) == [])
    }

    @Test("is given up after so many failures in a row, and says so")
    func givesUp() {
        var rules = Self.rules
        rules.attempts = 3
        var subject = Failing(rules)
        #expect(subject.fail().actions.last != .finish(.givenUp))
        #expect(subject.fail(after: 31).actions.last != .finish(.givenUp))
        #expect(subject.fail().actions.last != .finish(.givenUp))
        #expect(subject.fail().actions == [.report("broken", retry: nil), .finish(.givenUp)])
        #expect(subject.supervisor.handle(.start, at: 1000) == [])
    }

    @Test("ends with the attempt that ends by itself, and with stop from wherever it is")
    func ends() throws {
        var subject = Subject(rules: Self.rules)
        #expect(subject.handle(.stop, at: 0) == [.finish(.stopped)])
        subject = Subject(rules: Self.rules)
        #expect(subject.handle(.start, at: 0) == [.start])
        #expect(subject.handle(.ended, at: 1) == [.finish(.ended)])
        subject = Subject(rules: Self.rules)
        _ = subject.handle(.start, at: 0)
        #expect(subject.handle(.stop, at: 1) == [.stop])
        #expect(subject.handle(.failed("too late"), at: 2) == [.finish(.stopped)])
        var failing = Failing(Self.rules)
        _ = failing.supervisor.handle(.failed("x"), at: 0)
        #expect(failing.supervisor.handle(.stop, at: 0.5) == [.finish(.stopped)])
    }
}

@Suite("The supervisor in every short history", .timeLimit(.minutes(10)))
struct SupervisorHistoryTests {
    /// What must hold after every step of every history.
    private struct World {
        var supervisor: Subject
        var now = 0.0
        /// Attempts that were begun and have not ended.
        var running = 0
        var isAskedToStop = false
        var outcome: Subject.Outcome?
        /// Alarms that were asked for, the latest last.
        var alarms: [Subject.Alarm] = []
        /// The latest has not come yet.
        var isWaiting = false
        var reported: String?
        /// When the last attempt ended.
        var ended: Double?
        var pauses = 0.0

        init(_ rules: Subject.Rules) {
            supervisor = Subject(rules: rules)
        }

        /// Some hundred thousand checks: only what fails is recorded.
        private func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds { Issue.record("\(text())") }
        }

        mutating func take(_ input: Subject.Input, _ rules: Subject.Rules, _ history: [Int]) {
            if case .ended = input { running -= 1 }
            if case .failed = input {
                running -= 1
                ended = now
            }
            if let alarm = alarms.last, input == .due(alarm) { isWaiting = false }
            let wasOver = outcome != nil
            let actions = supervisor.handle(input, at: now, random: 0.5)
            check(!wasOver || actions.isEmpty, "acts after the end: \(history)")
            for (place, action) in actions.enumerated() {
                switch action {
                case .start:
                    running += 1
                    check(running == 1, "two attempts: \(history)")
                    check(!isAskedToStop, "starts after stop: \(history)")
                    if let ended { check(now - ended >= 1, "no pause: \(history)") }
                case .stop:
                    check(running == 1 && !isAskedToStop, "stops what does not run: \(history)")
                case .wait(let alarm, let seconds):
                    check(seconds > 0 && seconds <= rules.longestPause * (1 + rules.jitter), "pause: \(history)")
                    check(!alarms.contains(alarm), "an alarm twice: \(history)")
                    alarms.append(alarm)
                    isWaiting = true
                case .report(let problem, let retry):
                    check(rules.reportsEveryFailure || reported != problem || retry == nil, "twice: \(history)")
                    check(retry.map { $0 <= rules.longestPause } ?? (rules.attempts != nil), "retry: \(history)")
                    reported = problem
                case .reportRecovery:
                    check(reported != nil && running == 1, "recovers from nothing: \(history)")
                    reported = nil
                case .finish(let outcome):
                    check(place == actions.count - 1 && running == 0, "ends too early: \(history)")
                    self.outcome = outcome
                }
            }
            if input == .stop { isAskedToStop = true }
            // Something always goes on: an attempt, a pause, or the end.
            let isBegun = history.contains(0) || isAskedToStop
            check(!isBegun || outcome != nil || running == 1 || isWaiting, "stands still: \(history)")
            if isAskedToStop { check(outcome != nil || running == 1, "stop is not followed: \(history)") }
        }

        /// Inputs that the caller can give now.
        func input(_ number: Int) -> Subject.Input? {
            switch number {
            case 0: .start
            case 1: running == 1 ? .succeeded : nil
            case 2: running == 1 ? .ended : nil
            case 3: running == 1 ? .failed("a") : nil
            case 4: running == 1 ? .failed("b") : nil
            case 5: .retry
            case 6: alarms.last.map { .due($0) }
            case 7: alarms.dropLast().last.map { .due($0) }
            default: .stop
            }
        }
    }

    private func explore(_ world: World, _ rules: Subject.Rules, _ history: [Int], depth: Int) async -> Int {
        guard depth > 0 else { return 1 }
        // Other tests have limits of time.
        if depth == 4 { await Task.yield() }
        var count = 0
        for number in 0...8 {
            var next = world
            guard let input = next.input(number) else { continue }
            // An alarm comes when its time has passed; everything else at once.
            next.now += number == 6 ? 70 : 0
            next.take(input, rules, history + [number])
            count += await explore(next, rules, history + [number], depth: depth - 1)
        }
        return count
    }

    @Test("never has two attempts, never starts after stop, never stands still", arguments: 0..<4)
    func histories(_ variant: Int) async {
        var rules = Subject.Rules(longestPause: 4, stableAfter: variant == 1 ? 60 : 1000)
        rules.jitter = variant == 1 ? 0.1 : 0
        rules.reportsEveryFailure = variant == 2
        rules.attempts = variant == 3 ? 2 : nil
        #expect(await explore(World(rules), rules, [], depth: 8) > 50_000)
    }
}
