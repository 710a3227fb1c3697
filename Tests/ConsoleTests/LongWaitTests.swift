import Console
import Synchronization
import Testing
import TestSupport
import Text

@Suite("What takes longer than two seconds", .timeLimit(.minutes(10)))
struct LongWaitTests {
    private final class Drawn: Sendable {
        private let pieces = Mutex<[String]>([])

        var all: [String] { pieces.withLock { $0 } }

        func add(_ piece: String) { pieces.withLock { $0.append(piece) } }
    }

    private let clock = ManualClock()
    private let drawn = Drawn()
    private static let back = "\r\u{1B}[K"

    private func begin(
        _ terminal: Terminal = Terminal(isTerminal: true, columns: 40), _ text: @escaping LongWait.Text
    ) -> LongWait {
        LongWait.start(terminal, clock: clock, draw: { [drawn] in drawn.add($0) }, text)
    }

    /// Until it has drawn, and sleeps again.
    private func pass(_ time: Duration) async throws {
        clock.advance(by: time)
        try await clock.sleepers(1)
    }

    @Test("says how far it is, in one line that is drawn anew, and takes it away")
    func saysHowFar() async throws {
        let wait = begin { "\($1) of 9, \($0) s" }
        try await clock.sleepers(1)
        try await pass(.milliseconds(1999))
        #expect(drawn.all.isEmpty)
        try await pass(.milliseconds(1))
        #expect(drawn.all == [Self.back + "0 of 9, 2 s"])
        wait.advance(by: 4)
        try await pass(.milliseconds(250))
        #expect(drawn.all.last == Self.back + "4 of 9, 2 s")
        wait.advance()
        try await pass(.seconds(3))
        #expect(drawn.all.last == Self.back + "5 of 9, 5 s")
        wait.end()
        wait.end()
        #expect(drawn.all.count == 4 && drawn.all.last == Self.back)
        clock.advance(by: .seconds(10))
        await letOthersRun()
        #expect(drawn.all.count == 4)
    }

    @Test("says nothing where it was short")
    func saysNothing() async throws {
        let wait = begin { _, _ in "never" }
        try await clock.sleepers(1)
        try await pass(.milliseconds(1500))
        wait.end()
        clock.advance(by: .seconds(10))
        await letOthersRun()
        #expect(drawn.all.isEmpty)
    }

    @Test("says nothing where nobody looks")
    func saysNothingWhereNobody() async {
        let wait = begin(Terminal(isTerminal: false)) { _, _ in "never" }
        await letOthersRun()
        clock.advance(by: .seconds(10))
        await letOthersRun()
        #expect(drawn.all.isEmpty)
        wait.end()
        #expect(drawn.all.isEmpty)
    }

    @Test("stays in its line, whatever it says", arguments: [1, 5, 20, 40, 80])
    func staysInItsLine(columns: Int) async throws {
        let wait = begin(Terminal(isTerminal: true, columns: columns)) { _, _ in
            "蒸汽机与电报局的历史展览大厅\u{1B}[2J\n" + String(repeating: "a long way ", count: 20)
        }
        try await clock.sleepers(1)
        try await pass(.seconds(2))
        wait.end()
        let line = try #require(drawn.all.first)
        #expect(line.hasPrefix(Self.back))
        let text = line.dropFirst(Self.back.unicodeScalars.count)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{1B}" }, "\(line.debugDescription)")
        #expect(displayWidth(String(text)) <= max(1, columns - 1))
    }
}
