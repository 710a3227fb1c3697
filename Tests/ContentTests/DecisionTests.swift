import Beacon
import Content
import SiteFormat
import TestSupport
import Testing

/// What decides over time, without a network or a disk.
struct DecisionTests {
    static let now: Int64 = 1_795_250_285  // November 2026
    static let hash = asset(1).sha256

    func verdict(_ revision: Int64, after last: Int64?, isSigned: Bool = false, sameBytes: Bool = true) throws
        -> RevisionRule.Verdict
    {
        let hash = try #require(AssetHash(Self.hash))
        let other = try #require(AssetHash(asset(2).sha256))
        return RevisionRule.verdict(
            revision, sameBytes ? hash : other, after: last.map { ($0, hash) }, isSigned: isSigned, now: Self.now)
    }

    /// Whatever a site counts, its next publication is taken, also after a year.
    @Test(
        "revisions of usual kinds go on",
        arguments: [
            (1, 2), (57, 58), (57, 1_000_057), (1_795_250_285, 1_826_786_285), (1_795_250_285_000, 1_826_786_285_000),
            (1_795_250_285_000_000, 1_826_786_285_000_000), (1_795_250_285_000_000_000, 1_826_786_285_000_000_000),
            (20_261_231, 20_270_101), (2_026_123_199, 2_027_010_101), (202_612_312_359, 202_701_010_000),
            (20_261_231_235_959, 20_270_101_000_000), (20_261_231_235_959_999, 20_270_101_000_000_000), (0, 1),
        ] as [(Int64, Int64)])
    func revisionsOfUsual(last: Int64, next: Int64) throws {
        #expect(try verdict(next, after: last) == .good)
        #expect(try verdict(last, after: nil) == .good)
        #expect(try verdict(last, after: last) == .good)
        #expect(try verdict(last, after: next) == .older)
        #expect(try verdict(.max, after: last) != .good)
        #expect(try verdict(.max, after: last, isSigned: true) == .good)
    }

    @Test("the owner can always go on above what a forger may reach")
    func ownerCanAlways() throws {
        for last in [0, 57, 1_795_250_285, 1_795_250_285_000_000_000, 20_261_231] as [Int64] {
            let reached = RevisionRule.limit(after: last, now: Self.now)
            #expect(try verdict(reached, after: last) == .good && verdict(reached + 1, after: last) != .good)
            #expect(try verdict(reached + 1, after: reached) == .good)
        }
        #expect(try verdict(.max, after: nil) != .good)
    }

    @Test("equal revisions are equal lists, signed or not")
    func equalRevisions() throws {
        for isSigned in [false, true] {
            #expect(try verdict(7, after: 7, isSigned: isSigned, sameBytes: false) == .otherBytes)
            #expect(
                try verdict(0, after: 0, isSigned: isSigned, sameBytes: false) == .good, "a site that does not count")
            #expect(try verdict(6, after: 7, isSigned: isSigned, sameBytes: false) == .older)
        }
    }

    @Test("a clock that was never set does not refuse dates")
    func clockThatWasNever() throws {
        let hash = try #require(AssetHash(Self.hash))
        let verdict = RevisionRule.verdict(
            Self.now, hash, after: (Self.now - 31_536_000, hash), isSigned: false, now: 0)
        #expect(verdict == .good)
    }

    @Test("more than half waits an interval, from when it was first seen")
    func moreThanHalf() {
        func look(_ removed: Int, of count: Int, since: Int64? = nil, at now: Int64 = 1000, isMeant: Bool = false)
            -> RemovalConfirmation.Verdict
        {
            RemovalConfirmation.verdict(
                removing: removed, of: count, since: since, now: now, interval: 300, isMeant: isMeant)
        }
        #expect(look(0, of: 0) == .take && look(3, of: 6) == .take && look(3, of: 7) == .take)
        #expect(look(4, of: 7) == .wait(since: 1000, until: 1300) && look(1, of: 1) == .wait(since: 1000, until: 1300))
        #expect(look(4, of: 7, isMeant: true) == .take)
        #expect(look(4, of: 7, since: 900) == .wait(since: 900, until: 1200))
        #expect(look(4, of: 7, since: 700) == .take)
        #expect(look(4, of: 7, since: 5000) == .wait(since: 1000, until: 1300), "the clock was set back")
    }

    @Test("a missing manifest goes when others were there after it was first missed")
    func missingManifest() {
        let (one, other) = (ContentScope.beacon(hall), ContentScope.beacon(shop))
        var absences = Absences()
        func isGone(_ scope: ContentScope, _ second: Int) -> Bool {
            absences.isGone(scope, at: .seconds(second), interval: .seconds(300))
        }
        absences.found(other, at: .seconds(0))
        #expect(!isGone(one, 1) && !isGone(one, 100) && !isGone(one, 400), "nothing has answered since")
        absences.found(other, at: .seconds(401))
        #expect(!isGone(other, 402) && isGone(one, 402))
        absences.found(one, at: .seconds(500))
        #expect(!isGone(one, 900) && !isGone(other, 600))
    }

    @Test("names are cut between characters")
    func namesAreCut() {
        #expect(boundedName("Hall") == "Hall")
        #expect(boundedName(String(repeating: "a", count: 201)) == String(repeating: "a", count: 200))
        let flag = "🇳🇱"
        #expect(boundedName(String(repeating: flag, count: 300)) == String(repeating: flag, count: 200))
        let family = "👨‍👩‍👧‍👦"
        let bounded = boundedName(String(repeating: family, count: 300))
        #expect(bounded.utf8.count <= 1600 && bounded.allSatisfy { $0 == Character(family) } && !bounded.isEmpty)
        #expect(boundedName("e" + String(repeating: "\u{301}", count: 1_000_000)).utf8.count <= 1600)
    }

    @Test("a full disk lets nothing through until there is more room than there was")
    func fullDisk() {
        let megabyte: Int64 = 1 << 20
        var gate = RoomGate()
        // One that is too large with room left, the first that finds none, and the next.
        let refusals = [200 * megabyte, megabyte, megabyte].map { gate.refused(free: $0, reserve: megabyte) }
        #expect(refusals == [false, true, false] && gate.isClosed)
        let looks = [0, RoomGate.step - 1, RoomGate.step].map { gate.look(free: megabyte + $0) }
        #expect(looks == [false, false, true] && !gate.isClosed)
        let again = gate.refused(free: 0, reserve: megabyte)
        let later = [megabyte, 2 * megabyte].map { gate.look(free: $0) }
        #expect(again && later == [false, true])
    }

    @Test("what trickles is given up after a window, and the disk's time does not count")
    func whatTrickles() {
        var slow = Throughput(least: 1024, window: .seconds(30))
        let rates = (1...30).map { _ in slow.received(1, after: .seconds(1)) }
        #expect(rates.dropLast().allSatisfy { $0 == nil } && rates.last == 1)
        var fast = Throughput(least: 1024, window: .seconds(30))
        let good = (1..<100).map { _ in fast.received(1024, after: .seconds(1)) }
        var idle = Throughput(least: 1024, window: .seconds(30))
        let instant = (1..<100).map { _ in idle.received(65536, after: .zero) }
        #expect((good + instant).allSatisfy { $0 == nil })
    }

    @Test("a thousand beacons a second cost a site without a list one request a second")
    func thousandBeacons() {
        var budget = RequestBudget()
        var taken = 0
        for millisecond in 0..<60_000 where budget.take(at: .milliseconds(millisecond), leaving: 32) == nil {
            taken += 1
        }
        #expect((80...93).contains(taken), "\(taken)")
        // Who is in more of a hurry has the rest.
        let waits = (0..<40).map { _ in budget.take(at: .seconds(60)) }
        #expect(waits.prefix(32).allSatisfy { $0 == nil })
        let last = waits.last.flatMap { $0 }
        #expect(last.map { $0 <= .seconds(1.1) } == true)
        let later = budget.take(at: .seconds(62))
        #expect(later == nil)
    }

    func elements(_ json: String, _ limit: Int = 1000) throws -> [String]? {
        let bytes = Array(json.utf8)
        let outline = try JSONOutline(
            bytes, arrayOf: "beacons", limits: .init(inner: limit, outer: limit, elements: limit), source: "list")
        return outline.array == nil ? nil : outline.elements.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test("the elements of a list's array are found")
    func elementsOfLists() throws {
        #expect(
            try elements(#"{"a":{"beacons":[1]},"beacons":[{"x":[1,2]} , "a,]\"b",3],"z":[4]}"#)
                == [#"{"x":[1,2]} "#, #""a,]\"b""#, "3"])
        #expect(try elements(#"{"beacons":[]}"#) == [] && elements(#"["beacons",[1]]"#) == nil)
        #expect(try elements(#"{"beacons":{"a":[1]}}"#) == nil && elements("") == nil && elements("[") == nil)
        for wrong in [#"{"beacons":[1,]}"#, #"{"beacons":[,1]}"#, #"{"beacons":[1],"beacons":[2]}"#, "}"] {
            #expect(throws: ContentError.self, "\(wrong)") { try elements(wrong) }
        }
        for large in [
            #"{"beacons":["# + String(repeating: "0,", count: 20) + "0]}", String(repeating: "[", count: 500),
            "[" + String(repeating: "0,", count: 20) + "0]",
        ] {
            let error = #expect(throws: ContentError.self) { try elements(large, 10) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("any octets are walked over, and lists are read in portions as at once")
    func anyOctets() throws {
        var generator = SeededGenerator(seed: 12)
        let alphabet = Array(#"{}[],:"\ beacons01"#.utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
            _ = try? JSONOutline(
                bytes, arrayOf: "beacons", limits: .init(inner: 50, outer: 50, elements: 50), source: "fuzz")
        }
        var lines = (0..<700).map { number in
            #"{"uuid":"\#(hall.uuid)","major":1,"minor":\#(number),"name":"N","manifest":"a.json","#
                + #""sha256":"\#(Self.hash)"}"#
        }
        func list() throws -> SiteList {
            try SiteList(
                json: Array(#"{"format":1,"revision":3,"beacons":[\#(lines.joined(separator: ", "))]}"#.utf8),
                source: "list")
        }
        #expect(try list().entries.count == 700 && list().revision == 3)
        lines[600] = lines[600].replacing("a.json", with: "../a.json")
        let error = #expect(throws: ContentError.self) { _ = try list() }
        #expect(error?.place == "list: beacons[600].manifest", "\(String(describing: error))")
        lines[600] = lines[3]
        let twice = #expect(throws: ContentError.self) { _ = try list() }
        #expect(twice?.place == "list: beacons[600]", "\(String(describing: twice))")
    }
}
