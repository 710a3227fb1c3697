import Hooks
import MQTT
import Text

extension FuzzTarget {
    /// The file of events that wait for the broker, as a kill, a full disk or another program may leave it.
    static let outbox = FuzzTarget(
        "outbox", words: ["beacond-outbox 1\n", "+ ", "- ", " entered {", "}\n", "18446744073709551615"]
    ) {
        [
            Array("beacond-outbox 1\n- 0 0\n+ 1 11 entered {\"a\":1}\n+ 2 12 exited {}\n- 1 12\n+ 3 13".utf8),
            Array("beacond-outbox 1\n- 7 1007\n".utf8),
        ]
    } check: { bytes in
        let contents = OutboxJournal.contents(of: bytes)
        let numbers = contents.entries.map(\.sequence)
        let increase = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        try require(increase, "numbers that do not increase: \(numbers)")
        try require(numbers.last.map { $0 < contents.nextSequence } ?? true, "a number that is used again")
        let outbox = Outbox(
            contents.entries, nextSequence: contents.nextSequence, lastEvent: contents.lastEvent, capacity: .max)
        let again = OutboxJournal.contents(of: OutboxJournal.text(outbox).utf8)
        try require(again.damaged == 0 && again.entries == contents.entries, "events that are not read as written")
        try require(again.nextSequence == contents.nextSequence, "another next number than was written")
    }

    /// What a hook prints, whole and in pieces.
    static let hookOutput = FuzzTarget("hook-output", words: ["\n", "\r", "\u{1B}[2J", "\u{202E}"]) {
        [Array("one\ntwo\n\nthree".utf8), Array(repeating: 0x0A, count: 120)]
    } check: { bytes in
        func lines(_ pieces: [[UInt8]]) -> [String] {
            var output = OutputLines()
            let complete = pieces.flatMap { output.take($0) }
            return complete + output.end()
        }
        let whole = lines([bytes])
        try require(whole == lines(pieces(of: bytes)), "pieces give other lines than the whole")
        try require(whole.count <= 101, "\(whole.count) lines")
        try require(whole.allSatisfy { printable($0) == $0 }, "a line that is not printable")
    }
}
