import Beacon
import FleetFormat
import TestSupport

private let start: Int64 = 1_767_225_600_000_000

extension FuzzTarget {
    /// What resolvers answer to a scanner about the fleet's time, a line each. Each comes when it is asked for.
    static let clockAnswer = FuzzTarget(
        "clock-answer",
        words: [
            "\"asked\":", "\"received\":", "\"sent\":", "\"resolver\":\"", "\"synchronised\":true", "}\n{", "null",
            "-1", "253402300799999999", "9223372036854775807",
        ]
    ) {
        func answers(_ resolver: String, ahead: Int64) -> String {
            (0..<4).map { step in
                let received = start + ahead + Int64(step) * 1_000_000
                return ClockAnswer(
                    asked: 1, received: received, sent: received + 500, resolver: resolver, isSynchronised: true
                ).json + "\n"
            }.joined()
        }
        return [
            Array(answers("hall", ahead: 0).utf8),
            Array((answers("hall", ahead: 20_000_000) + answers("attic", ahead: -start)).utf8),
        ]
    } check: { bytes in
        var generator = random(from: bytes)
        var offset = ClockOffset()
        var now = ClockReading(wall: Timestamp(microseconds: start), elapsed: 0)
        func pass(_ seconds: Double) {
            now.elapsed += seconds
            now.wall = now.wall.advanced(bySeconds: seconds)
        }
        offset.connect(at: now)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            pass(.random(in: 0...70, using: &generator))
            let question = offset.question(at: now)
            pass(.random(in: 0...6, using: &generator))
            guard var answer = try refusing({ try ClockAnswer(json: Array(line)) }) else { continue }
            let again = try ClockAnswer(json: Array(answer.json.utf8))
            try require(
                (again.asked, again.received, again.sent) == (answer.asked, answer.received, answer.sent),
                "times that are not read as they are written")
            if let question { answer.asked = question.asked }
            offset.take(answer, at: now)
            if let milliseconds = offset.milliseconds(at: now) {
                try require(LevelsMessage.corrections.contains(milliseconds), "a correction of \(milliseconds) ms")
            }
            try require((offset.reference?.unicodeScalars.count ?? 0) <= 64, "a resolver's name without an end")
        }
    }
}
