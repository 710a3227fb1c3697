import Beacon
import Content
import Foundation
import SiteFormat
import TestSupport
import Testing

/// What decides over time and about room, exactly at its limits.
struct DecisionLimitTests {
    static let hashes = (0..<8).compactMap { AssetHash(asset($0, bytes: 1).sha256) }

    // MARK: - Room

    @Test("what was not needed for longest goes first, what never was before it, and of equals the first by name")
    func evictionOrder() {
        let scopes: [ContentScope] = [.beacon(hall), .beacon(shop), .beacon(attic), .uncategorized, .uuid(hall.uuid)]
        var plan = EvictionPlan(
            scopes.map { ($0, []) }, protected: [.uuid(hall.uuid)],
            lastNeeded: [.beacon(hall): 20, .beacon(shop): 10, .beacon(attic): 10], kept: [])
        var gone: [ContentScope] = []
        while let step = plan.next() { gone.append(step.scope) }
        #expect(gone == [.uncategorized, .beacon(shop), .beacon(attic), .beacon(hall)])
    }

    @Test("an asset goes with the last content that needs it, and not while a running sync does")
    func evictedAssets() {
        let hashes = Self.hashes
        var plan = EvictionPlan(
            [
                (.beacon(hall), [hashes[0], hashes[1]]), (.beacon(shop), [hashes[1], hashes[2], hashes[3]]),
                (.beacon(attic), [hashes[3]]),
            ], protected: [.beacon(attic)], lastNeeded: [.beacon(hall): 1, .beacon(shop): 2], kept: [hashes[2]])
        let steps = [plan.next(), plan.next(), plan.next()]
        #expect(steps.map(\.?.scope) == [.beacon(hall), .beacon(shop), nil])
        #expect(steps.map(\.?.assets) == [[hashes[0]], [hashes[1]], nil])
    }

    @Test("what is used, promised and asked for fills the quota to the last byte, and not beyond")
    func promises() {
        let (one, other) = (JobKey.beacon(hall), JobKey.beacon(shop))
        var promises = QuotaPromises()
        let first = [101, 100].map { promises.promise($0, to: one, used: 900, quota: 1000) }
        #expect(first == [false, true] && promises.promisedToOthers(than: other) == 100)
        #expect(promises.promisedToOthers(than: one) == 0)
        // What one was promised before does not count against it.
        let more = [(100, one), (1, other)].map { promises.promise($0, to: $1, used: 900, quota: 1000) }
        #expect(more == [true, false])
        promises.arrived(60, for: [one, other])
        #expect(promises.promisedToOthers(than: other) == 40)
        promises.arrived(60, for: [one])
        #expect(promises.promisedToOthers(than: other) == 0, "more came than was promised")
        let second = promises.promise(5, to: other, used: 0, quota: 10)
        promises.release(other)
        #expect(second && promises.promisedToOthers(than: one) == 0)
        #expect(!promises.fits(.max, for: one, used: 1, quota: 1000))
    }

    @Test("nothing more fits with less than a megabyte beyond the reserve, and one more try needs a step more")
    func room() {
        let (reserve, smallest): (Int64, Int64) = (10 << 20, 1 << 20)
        var gate = RoomGate()
        let there = gate.refused(free: reserve + smallest, reserve: reserve)
        let none = gate.refused(free: reserve + smallest - 1, reserve: reserve)
        #expect(!there && none && gate.needed == reserve + smallest - 1 + 65536)
        var full = RoomGate()
        let isClosed = full.refused(free: 0, reserve: reserve)
        #expect(isClosed && full.needed == reserve + 65536, "as much as has to stay free, and a step")
    }

    // MARK: - Time

    @Test("a removal is believed when the interval has passed, and not a second before")
    func removals() {
        func verdict(_ now: Int64) -> RemovalConfirmation.Verdict {
            RemovalConfirmation.verdict(removing: 9, of: 10, since: 1000, now: now, interval: 300, isMeant: false)
        }
        #expect(verdict(1299) == .wait(since: 1000, until: 1300) && verdict(1300) == .take)
        // Nothing is taken at once, however short the interval is.
        let first = RemovalConfirmation.verdict(removing: 9, of: 10, since: nil, now: 7, interval: 0, isMeant: false)
        #expect(first == .wait(since: 7, until: 7))
        // A file of the store may say anything.
        for since in [Int64.min, -1, .max] {
            let extreme = RemovalConfirmation.verdict(
                removing: 9, of: 10, since: since, now: 1300, interval: 300, isMeant: false)
            #expect(since == .max ? extreme == .wait(since: 1300, until: 1600) : extreme == .take)
        }
    }

    @Test(
        "a removal that a file says was first seen before 1970 counts from 1970 on",
        arguments: [Int64.min, -1, 0])
    func removalsBefore1970(since: Int64) {
        func verdict(_ now: Int64) -> RemovalConfirmation.Verdict {
            RemovalConfirmation.verdict(removing: 9, of: 10, since: since, now: now, interval: 300, isMeant: false)
        }
        #expect(verdict(299) == .wait(since: 0, until: 300) && verdict(300) == .take)
    }

    @Test("a manifest is gone when it was missed for the interval, and another was found after it was first missed")
    func absences() {
        func isGone(found: Int?, again: Int) -> Bool {
            var absences = Absences()
            let first = absences.isGone(.beacon(hall), at: .seconds(100), interval: .seconds(300))
            if let found { absences.found(.beacon(shop), at: .seconds(found)) }
            let second = absences.isGone(.beacon(hall), at: .seconds(again), interval: .seconds(300))
            return !first && second
        }
        #expect(isGone(found: 101, again: 400) && !isGone(found: 101, again: 399))
        #expect(!isGone(found: 100, again: 400) && !isGone(found: nil, again: 400))
    }

    @Test("no more than 4096 absences are remembered, and there is room again for what was found")
    func manyAbsences() {
        var absences = Absences()
        func scope(_ number: Int) -> ContentScope {
            .beacon(BeaconID(uuid: hall.uuid, major: 7, minor: UInt16(number)))
        }
        for number in 0...4096 { _ = absences.isGone(scope(number), at: .seconds(1), interval: .seconds(10)) }
        absences.found(.uncategorized, at: .seconds(2))
        let gone = [4095, 4096].map { absences.isGone(scope($0), at: .seconds(20), interval: .seconds(10)) }
        #expect(gone == [true, false])
        // Looked at anew from then on.
        absences.found(.uncategorized, at: .seconds(21))
        let later = [29, 30].map { absences.isGone(scope(4096), at: .seconds($0), interval: .seconds(10)) }
        #expect(later == [false, true])
    }

    @Test("64 manifests are asked for at once, and then one a second")
    func budget() throws {
        var budget = RequestBudget()
        let waits = (0..<65).map { _ in budget.take(at: .zero) }
        #expect(waits.prefix(64).allSatisfy { $0 == nil })
        let wait = try #require(waits[64])
        #expect(wait >= .seconds(1) && wait < .seconds(1.01))
        let early = budget.take(at: .milliseconds(400))
        #expect(early.map { $0 >= .milliseconds(600) && $0 < .milliseconds(610) } == true)
        let inTime = budget.take(at: wait)
        let next = budget.take(at: wait)
        #expect(inTime == nil && next != nil)
        // However long nobody asks, no more than 64 gather.
        let later = (0..<65).map { _ in budget.take(at: .seconds(10_000)) }
        #expect(later.prefix(64).allSatisfy { $0 == nil } && later[64] != nil)
        // A clock that goes back gives nothing.
        let back = budget.take(at: .seconds(9_000))
        let again = budget.take(at: .seconds(10_000.5))
        #expect(back != nil && again != nil)
    }

    @Test("who leaves some for others has the rest", arguments: [0.0, 1, 32, 63])
    func reserve(reserve: Double) {
        var budget = RequestBudget()
        let taken = (0..<70).prefix { _ in budget.take(at: .zero, leaving: reserve) == nil }.count
        #expect(Double(taken) == 64 - reserve)
        let wait = budget.take(at: .zero, leaving: reserve)
        #expect(wait.map { $0 >= .seconds(1) && $0 < .seconds(1.01) } == true)
    }

    @Test(
        "Retry-After is a number of seconds from 0 to a million, or a date as far ahead",
        arguments: [
            ("0", 0), ("1", 1), ("1000000", 1_000_000), ("1000001", 1_000_000),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 1_000_000),
        ])
    func retryAfter(text: String, seconds: Int) {
        #expect(RetryAfter.duration(text, now: 700_000_000) == .seconds(seconds))
    }

    @Test("a date that is now asks for no wait")
    func retryAfterNow() {
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_777) == .zero)
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_776.5) == .milliseconds(500))
    }

    @Test("a pause doubles twenty times, and a first failure is the first, whatever its number")
    func doubling() {
        let policy = RetryPolicy(
            pause: .milliseconds(1), maximum: .seconds(1_000_000), maximumRetryAfter: .seconds(60))
        let delays = [-1, 0, 1, 2, 20, 21, 22, 63, 100].map { policy.delay(failures: $0, retryAfter: nil, random: 1) }
        #expect(
            delays
                == [1, 1, 1, 2, 524_288, 1_048_576, 1_048_576, 1_048_576, 1_048_576].map { .milliseconds($0) })
    }

    @Test("too slow is what comes with less than the least in a whole window, which then begins anew")
    func throughput() {
        func rates(_ bytes: [Int], _ each: Duration) -> [Int64?] {
            var throughput = Throughput(least: 1000, window: .seconds(10))
            return bytes.map { throughput.received($0, after: each) }
        }
        #expect(rates([5000, 5000], .seconds(5)) == [nil, nil])
        #expect(rates([5000, 4999, 5000, 4999], .seconds(5)) == [nil, 999, nil, 999])
        #expect(rates([9990, 0], .milliseconds(9990)) == [nil, 500], "no window is whole before its end")
        #expect(rates([5000, 5000, 9000], .milliseconds(10_500)) == [476, 476, 857])
    }

    // MARK: - Revisions

    /// November 2026, and ten years on.
    static let now: Int64 = 1_795_250_285
    static let latest = now + 315_576_000

    @Test(
        "how far a list that is not signed may go on: ten years for dates, a million for other numbers",
        arguments: [
            (946_684_800, latest), (now, latest), (946_684_799, 947_684_799), (now * 1000, latest * 1000),
            (946_684_800_000, latest * 1000), (946_684_799_999, 946_685_799_999), (now * 1_000_000, latest * 1_000_000),
            (946_684_800_000_000, latest * 1_000_000), (946_684_799_999_999, 946_684_800_999_999),
            (now * 1_000_000_000, latest * 1_000_000_000), (946_684_799_999_999_999, 946_684_800_000_999_999),
            (946_684_800_000_000_000, latest * 1_000_000_000),
            // Digits from the year down, to the end of 2036.
            (200_000_000_000, 203_700_000_000), (202_612_312_359, 203_700_000_000), (199_999_999_999, 200_000_999_999),
            (20_000_000_000_000, 20_370_000_000_000), (19_999_999_999_999, 20_000_000_999_999),
            (20_000_000_000_000_000, 20_370_000_000_000_000), (19_999_999_999_999_999, 20_000_000_000_999_999),
            (0, 1_000_000), (57, 1_000_057),
            // Of a day's date, a million is a hundred years.
            (20_261_231, 21_261_231),
            // Near the end of a form, a million is more.
            (latest - 10, latest + 999_990), (.max - 5, .max), (.max, .max),
        ] as [(Int64, Int64)])
    func revisions(last: Int64, limit: Int64) {
        #expect(RevisionRule.limit(after: last, now: Self.now) == limit)
    }

    @Test("the first list may have the latest date in any form")
    func firstRevision() {
        #expect(RevisionRule.limit(after: nil, now: Self.now) == Self.latest * 1_000_000_000)
    }

    @Test("a clock before 2026 is of 2026, and one after 2100 is of 2100")
    func clocks() {
        func limit(_ now: Int64) -> Int64 { RevisionRule.limit(after: 1_000_000_000, now: now) }
        #expect(limit(0) == 1_767_225_600 + 315_576_000 && limit(1_767_225_600) == limit(0))
        #expect(limit(1_767_225_601) == limit(0) + 1)
        #expect(limit(4_102_444_800) == 4_102_444_800 + 315_576_000 && limit(.max) == limit(4_102_444_800))
        #expect(RevisionRule.limit(after: 20_000_000, now: .max) == 21_110_000)
        #expect(RevisionRule.limit(after: 19_999_999, now: .max) == 20_999_999)
    }

    @Test("digits from the year down go on to the end of the year in ten years, counted in mean years")
    func lastYear() {
        // In ten years, 67 mean years after 1970 have passed.
        let turn: Int64 = 67 * 31_556_952 - 315_576_000
        func limit(_ now: Int64) -> Int64 { RevisionRule.limit(after: 20_000_000_000_000, now: now) }
        #expect(limit(turn - 1) == 20_370_000_000_000 && limit(turn) == 20_380_000_000_000)
    }

    // MARK: - Transfers

    @Test("at least one transfer runs, and no more than are set", arguments: [(-1, 1), (0, 1), (1, 1), (3, 3)])
    func parallel(given: Int, running: Int) {
        var queue = TransferQueue(parallel: given)
        for hash in Self.hashes { queue.add(hash) }
        var started: [AssetHash] = []
        while !queue.isFull, let next = queue.next(rank: { _ in 5 }) { started.append(next) }
        let more = queue.next(rank: { _ in 5 })
        #expect(started == Array(Self.hashes.prefix(running)) && more == nil && queue.isFull)
    }

    @Test("the lowest rank goes first, and of equals who came first")
    func ranks() {
        var queue = TransferQueue(parallel: 8)
        for hash in Self.hashes { queue.add(hash) }
        let ranks = Dictionary(uniqueKeysWithValues: zip(Self.hashes, [7, 3, 9, 3, 1, .max, 7, 2]))
        var order: [Int] = []
        while let next = queue.next(rank: { ranks[$0] ?? 0 }), let index = Self.hashes.firstIndex(of: next) {
            order.append(index)
        }
        #expect(order == [4, 7, 1, 3, 0, 6, 2, 5])
    }

    @Test("beside what is wanted and runs in full, one other goes on, the lowest rank of those that wait")
    func beside() {
        var queue = TransferQueue(parallel: 2)
        for hash in Self.hashes { queue.add(hash) }
        let ranks = Dictionary(uniqueKeysWithValues: zip(Self.hashes, [0, 0, 0, 9, 1, 4, 6, 8]))
        let rank: (AssetHash) -> Int = { ranks[$0] ?? 0 }
        let started = (0..<4).map { _ in queue.next(rank: rank) }
        #expect(started == [Self.hashes[0], Self.hashes[1], Self.hashes[4], nil])
        // What is on its way or waits already is not added again.
        queue.add(Self.hashes[0])
        queue.add(Self.hashes[2])
        #expect(queue.waiting == [2, 3, 5, 6, 7].map { Self.hashes[$0] })
        queue.finish(Self.hashes[4])
        queue.finish(Self.hashes[5])
        #expect(queue.waiting == [2, 3, 6, 7].map { Self.hashes[$0] })
        #expect(queue.next(rank: rank) == Self.hashes[6])
    }

    @Test("a hundred thousand are asked for their ranks once, while the ranks stay the same")
    func work() {
        var queue = TransferQueue(parallel: 4)
        let hashes = (0..<100_000).map { number in
            AssetHash(sha256: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })
        }
        for hash in hashes { queue.add(hash) }
        var asked = 0
        var started: [AssetHash] = []
        while let next = queue.next(ranking: 1, rank: { _ in
            asked += 1
            return 5
        }) {
            started.append(next)
            queue.finish(next)
        }
        #expect(started == hashes && queue.waitingCount == 0)
        #expect(asked == hashes.count, "for none is running while the next one is chosen")
    }

    @Test("other ranks count at once, also those of a single asset that is added again")
    func otherRanks() {
        var queue = TransferQueue(parallel: 8)
        for hash in Self.hashes.prefix(4) { queue.add(hash) }
        var ranks = [5, 5, 5, 5]
        let first = queue.next(ranking: 1, rank: { hash in Self.hashes.firstIndex(of: hash).map { ranks[$0] } ?? 9 })
        ranks[3] = 1
        let second = queue.next(ranking: 2, rank: { hash in Self.hashes.firstIndex(of: hash).map { ranks[$0] } ?? 9 })
        ranks[2] = 1
        queue.add(Self.hashes[2])
        let third = queue.next(ranking: 2, rank: { hash in Self.hashes.firstIndex(of: hash).map { ranks[$0] } ?? 9 })
        #expect([first, second, third] == [0, 3, 2].map { Self.hashes[$0] })
        #expect(queue.waiting == [Self.hashes[1]])
    }

    @Test("hashes that a manifest claims are told apart by all their digits")
    func prefixes() {
        let hashes = (0..<4096).compactMap { number in
            let digits = String(number, radix: 16)
            return AssetHash(String(repeating: "0", count: 64 - digits.count) + digits)
        }
        #expect(hashes.count == 4096)
        #expect(Set(hashes.map(\.hashValue)).count > 4000)
    }

    // MARK: - Where visitors go

    private let start = ContentScope.beacon(hall)
    private let left = ContentScope.beacon(shop)
    private let right = ContentScope.beacon(attic)

    private func goal(_ minor: Int) -> ContentScope {
        .beacon(BeaconID(uuid: hall.uuid, major: 5, minor: UInt16(minor)))
    }

    @Test("nobody walks from a manifest to itself, and of equals the lower identity is likelier")
    func equals() {
        var transitions = Transitions()
        transitions.record(from: start, to: start, at: 0)
        #expect(transitions.origins.isEmpty)
        for minor in [3, 1, 2] { transitions.record(from: start, to: goal(minor), at: 0) }
        #expect(transitions.likely(after: start, limit: 3) == (1...3).map(goal))
        #expect(transitions.likely(after: start, limit: 2).count == 2)
        #expect(transitions.likely(after: left, limit: 2) == [])
    }

    @Test("a count has half its weight after two weeks, a quarter after four, and is gone below a hundredth")
    func fading() throws {
        func weight(after weeks: Double) throws -> Double? {
            var transitions = Transitions()
            transitions.record(from: start, to: left, at: 1e9)
            transitions.record(from: start, to: right, at: 1e9 + weeks * 7 * 86_400)
            let origin = try #require(transitions.origins[start])
            #expect(origin.weights[right] == 1 && origin.updated == 1e9 + weeks * 7 * 86_400)
            return origin.weights[left]
        }
        #expect(try weight(after: 0) == 1 && weight(after: 2) == 0.5 && weight(after: 4) == 0.25)
        // 2^-6.6 is 0.0103, and 2^-6.7 is 0.0096.
        #expect(try weight(after: 13.2) != nil && weight(after: 13.4) == nil)
        #expect(try weight(after: -2) == 1, "a clock that was set back")
    }

    @Test("a count of a hundredth is forgotten, and a larger one is kept")
    func hundredth() throws {
        let stored = """
            [{"from": "\(start)", "updated": 5, "to": {"\(left)": 0.01, "\(right)": 0.0101}}]
            """
        var transitions = try JSONDecoder().decode(Transitions.self, from: Data(stored.utf8))
        transitions.record(from: start, to: goal(1), at: 5)
        #expect(transitions.origins[start]?.weights == [right: 0.0101, goal(1): 1])
    }

    @Test("16 goals are kept from each manifest, and the weakest of one more goes")
    func goals() {
        var transitions = Transitions()
        for minor in 0..<16 { for _ in 0..<2 { transitions.record(from: start, to: goal(minor), at: 0) } }
        #expect(transitions.origins[start]?.weights.count == 16)
        transitions.record(from: start, to: goal(16), at: 0)
        #expect(transitions.origins[start]?.weights.count == 16 && transitions.origins[start]?.weights[goal(16)] == nil)
    }

    @Test("4096 manifests are kept, and the one that nobody left for longest goes")
    func origins() {
        var transitions = Transitions()
        for minor in 0..<4096 { transitions.record(from: goal(minor), to: start, at: Double(5000 - minor)) }
        #expect(transitions.origins.count == 4096)
        transitions.record(from: start, to: left, at: 6000)
        #expect(transitions.origins.count == 4096 && transitions.origins[goal(4095)] == nil)
        #expect(transitions.origins[goal(4094)] != nil && transitions.origins[start] != nil)
        // The clock was set back: what is new now is the oldest by its number, and stays.
        transitions.record(from: right, to: start, at: 10)
        #expect(transitions.origins.count == 4096 && transitions.origins[right] != nil)
        #expect(transitions.origins[goal(4094)] == nil)
    }

    @Test("with another list, what counts for the same manifest becomes one, and what has none is forgotten")
    func joined() {
        var transitions = Transitions()
        transitions.record(from: goal(1), to: goal(11), at: 0)
        transitions.record(from: goal(1), to: goal(9), at: 0)
        transitions.record(from: goal(2), to: goal(12), at: Transitions.halfLife)
        transitions.record(from: goal(2), to: goal(1), at: Transitions.halfLife)
        transitions.record(from: goal(9), to: goal(11), at: Transitions.halfLife)
        transitions.record(from: left, to: right, at: 0)
        let current = [
            goal(1): start, goal(2): start, goal(11): left, goal(12): left, left: left, right: right,
        ]
        transitions.join { current[$0] }
        #expect(Set(transitions.origins.keys) == [start, left])
        // One of them was half as old.
        #expect(transitions.origins[start]?.weights == [left: 1.5])
        #expect(transitions.origins[start]?.updated == Transitions.halfLife)
        #expect(transitions.origins[left]?.weights == [right: 1])
    }

    @Test("with another list, 16 goals are kept as well, the likeliest")
    func joinedGoals() {
        var transitions = Transitions()
        for minor in 0..<16 {
            transitions.record(from: left, to: goal(minor), at: 0)
            for _ in 0..<2 { transitions.record(from: right, to: goal(100 + minor), at: 0) }
        }
        transitions.join { [left, right].contains($0) ? start : $0 }
        #expect(Set(transitions.likely(after: start, limit: 100)) == Set((100..<116).map(goal)))
    }

    @Test("what was learned is read as it was written, and what makes no sense in it is left out")
    func coded() throws {
        var transitions = Transitions()
        for minor in 0..<20 { transitions.record(from: goal(minor % 3), to: goal(minor), at: Double(minor)) }
        transitions.record(from: .major(hall.uuid, 3), to: .uuid(hall.uuid), at: 7)
        let data = try JSONEncoder().encode(transitions)
        #expect(try JSONDecoder().decode(Transitions.self, from: data) == transitions)
        let foreign = """
            [{"from": "\(start)", "updated": 5, "to": {"\(left)": 2.5, "\(right)": 0, "nobody": 1, "\(goal(1))": -1}},
             {"from": "nowhere", "updated": 5, "to": {"\(left)": 1}}]
            """
        let read = try JSONDecoder().decode(Transitions.self, from: Data(foreign.utf8))
        #expect(Array(read.origins.keys) == [start])
        #expect(read.origins[start]?.updated == 5 && read.origins[start]?.weights == [left: 2.5])
    }
}
