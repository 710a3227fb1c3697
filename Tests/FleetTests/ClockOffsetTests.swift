import Beacon
import FleetFormat
import TestSupport
import Testing

/// A scanner and resolvers whose clocks differ. Everything happens at instants of a time that nobody sees.
private struct Clocks {
    var offset = ClockOffset()
    /// True time, in seconds.
    var now = 1000.0
    /// Seconds that the scanner's clock is ahead of true time.
    var scanner = 0.0
    /// The same of the resolvers that answer, and whether something keeps their clocks right.
    var resolvers: [String: (ahead: Double, isSynchronised: Bool?)] = ["hall": (0, true)]

    var reading: ClockReading {
        ClockReading(wall: Timestamp(seconds: 1_767_225_600 + now + scanner), elapsed: now)
    }

    /// Seconds pass. Questions take so long on their way, and answers so long on theirs.
    mutating func pass(_ seconds: Int, ways: (Double, Double) = (0.001, 0.001)) {
        for _ in 0..<seconds {
            now += 1
            guard let question = offset.question(at: reading) else { continue }
            let asked = now
            for (name, resolver) in resolvers.sorted(by: { $0.key < $1.key }) {
                now = asked + ways.0
                let time = Int64((1_767_225_600 + now + resolver.ahead) * 1e6)
                now += ways.1
                offset.take(
                    ClockAnswer(
                        asked: question.asked, received: time, sent: time, resolver: name,
                        isSynchronised: resolver.isSynchronised), at: reading)
            }
            now = asked
        }
    }

    mutating func milliseconds() -> Int? { offset.milliseconds(at: reading) }

    /// The same, without a memory of it.
    var correction: Int? {
        var offset = offset
        return offset.milliseconds(at: reading)
    }

    static func connected(_ change: (inout Clocks) -> Void = { _ in }) -> Clocks {
        var clocks = Clocks()
        change(&clocks)
        clocks.offset.connect(at: clocks.reading)
        clocks.pass(5)
        return clocks
    }
}

@Suite struct ClockOffsetTests {
    @Test("a clock is corrected by what it is off, whatever that is", arguments: [10, -10, 0.4, -3600, 1e9, -1e9])
    func correction(ahead: Double) throws {
        let clocks = Clocks.connected { $0.scanner = ahead }
        let milliseconds = try #require(clocks.correction)
        #expect(abs(Double(milliseconds) + ahead * 1000) < 20)
        #expect(clocks.offset.isSettled)
    }

    @Test("where nobody answers there is no correction, and after three questions that is decided")
    func nobody() {
        var clocks = Clocks()
        clocks.resolvers = [:]
        clocks.offset.connect(at: clocks.reading)
        clocks.pass(1)
        #expect(!clocks.offset.isSettled)
        clocks.pass(3)
        #expect(clocks.offset.isSettled)
        #expect(clocks.correction == nil)
    }

    @Test("a slow way to the resolver is wrong by half of the trip at most, and short trips count more")
    func slowWay() throws {
        var clocks = Clocks.connected { $0.scanner = 10 }
        clocks.pass(300, ways: (0, 0.8))
        #expect(abs(try #require(clocks.correction) + 10_000) < 20)
        var slow = Clocks()
        slow.scanner = 10
        slow.offset.connect(at: slow.reading)
        slow.pass(300, ways: (0, 0.8))
        #expect(abs(try #require(slow.correction) + 10_000) <= 401)
    }

    @Test("a clock that is set is corrected at once, without a question")
    func set() throws {
        var clocks = Clocks.connected { $0.scanner = -10 }
        #expect(abs(try #require(clocks.correction) - 10_000) < 20)
        clocks.scanner = 0
        #expect(abs(try #require(clocks.correction)) < 20)
    }

    @Test("a resolver's clock that is set is followed within two seconds after the next question")
    func resolverIsSet() throws {
        var clocks = Clocks.connected()
        clocks.resolvers["hall"] = (10, true)
        clocks.pass(62)
        #expect(abs(try #require(clocks.correction) - 10_000) < 20)
    }

    @Test("one answer that differs changes nothing")
    func outlier() throws {
        var clocks = Clocks.connected()
        clocks.resolvers["hall"] = (10, true)
        // The next question is due within a minute.
        while clocks.now < 1063 { clocks.pass(1) }
        #expect(abs(try #require(clocks.correction)) < 20)
        clocks.resolvers["hall"] = (0, true)
        clocks.pass(120)
        #expect(abs(try #require(clocks.correction)) < 20)
    }

    @Test("of two resolvers the first by name counts, unless only the other's clock is right", arguments: [
            (true, true, "a"), (false, false, "a"), (nil, nil, "a"), (false, true, "b"), (nil, true, "b"),
            (true, false, "a"),
    ] as [(Bool?, Bool?, String)])
    func choice(first: Bool?, second: Bool?, expected: String) throws {
        let clocks = Clocks.connected { $0.resolvers = ["a": (0, first), "b": (10, second)] }
        #expect(clocks.offset.reference == expected)
        #expect(abs(try #require(clocks.correction) - (expected == "a" ? 0 : 10_000)) < 20)
    }

    @Test("when the resolver that counts is gone, the other one counts at once")
    func gone() throws {
        var clocks = Clocks.connected { $0.resolvers = ["a": (0, true), "b": (10, true)] }
        clocks.resolvers["a"] = nil
        clocks.offset.note(resolver: "a", isThere: false, at: clocks.reading)
        #expect(clocks.offset.reference == "b")
        #expect(abs(try #require(clocks.correction) - 10_000) < 20)
    }

    @Test("one that does not answer any more without a word is given up after some questions")
    func silent() {
        var clocks = Clocks.connected { $0.resolvers = ["a": (0, true), "b": (10, true)] }
        clocks.resolvers["a"] = nil
        clocks.pass(300)
        #expect(clocks.offset.reference == "b")
    }

    @Test("what was measured counts for an hour after the last resolver has gone, and no longer")
    func memory() {
        var clocks = Clocks.connected { $0.scanner = 10 }
        clocks.resolvers = [:]
        clocks.offset.note(resolver: "hall", isThere: false, at: clocks.reading)
        clocks.pass(3000)
        #expect(clocks.correction != nil)
        clocks.pass(1000)
        #expect(clocks.correction == nil)
    }

    @Test("a correction does not go to and fro with small errors")
    func steady() {
        var random = SeededGenerator(seed: 3)
        var clocks = Clocks.connected { $0.scanner = 0.5 }
        var seen: Set<Int?> = []
        for _ in 0..<200 {
            clocks.pass(20, ways: (.random(in: 0...0.05, using: &random), .random(in: 0...0.05, using: &random)))
            seen.insert(clocks.milliseconds())
        }
        #expect(seen.count == 1)
    }

    @Test("questions come once a minute, and each second at most when something is new")
    func pace() {
        var clocks = Clocks()
        var questions = 0
        clocks.offset.connect(at: clocks.reading)
        for _ in 0..<600 {
            clocks.now += 1
            if clocks.offset.question(at: clocks.reading) != nil { questions += 1 }
        }
        #expect((12...13).contains(questions))
        for number in 0..<1000 {
            clocks.now += 0.01
            clocks.offset.note(resolver: "r\(number)", isThere: number % 2 == 0, at: clocks.reading)
            if clocks.offset.question(at: clocks.reading) != nil { questions += 1 }
        }
        #expect(questions <= 13 + 11)
    }

    @Test("answers that nobody asked for, or that took too long, count for nothing", arguments: [
        (1, 0.01, 0), (0, 6, 0), (0, 0.01, 5),
    ] as [(Int64, Double, Double)])
    func refused(wrongBy: Int64, trip: Double, waited: Double) throws {
        var clocks = Clocks()
        clocks.offset.connect(at: clocks.reading)
        let first = clocks.offset.question(at: clocks.reading)
        let question = try #require(first)
        clocks.now += trip
        let time = Int64(1_767_225_600e6)
        clocks.offset.take(
            ClockAnswer(
                asked: question.asked + wrongBy, received: time, sent: time + Int64(waited * 1e6), resolver: "a",
                isSynchronised: true), at: clocks.reading)
        #expect(clocks.correction == nil)
    }

    @Test("questions and answers are read as they are written, and nonsense is refused")
    func messages() throws {
        let question = ClockQuestion(asked: -5)
        #expect(try ClockQuestion(json: Array(question.json.utf8)) == question)
        for isSynchronised in [true, false, nil] {
            let answer = ClockAnswer(asked: 1, received: 2, sent: 3, resolver: "قاعة", isSynchronised: isSynchronised)
            #expect(try ClockAnswer(json: Array(answer.json.utf8)) == answer)
        }
        for json in [
            "", "{}", #"{"asked":1,"received":3,"sent":2,"resolver":"a"}"#,
            #"{"asked":1,"received":-1,"sent":2,"resolver":"a"}"#,
            #"{"asked":1,"received":1,"sent":9223372036854775807,"resolver":"a"}"#, String(repeating: " ", count: 2000),
        ] {
            #expect(throws: FleetMessageError.self) { try ClockAnswer(json: Array(json.utf8)) }
        }
    }
}
