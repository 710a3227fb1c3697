import Curation
import CurationStore
import SiteFormat
import TestSupport
import Testing

/// Devices refuse a revision that is lower than the one they hold.
@Suite(.timeLimit(.minutes(10))) struct RevisionNumberTests {
    @Test(
        "the next number is behind the current one and what devices report, and never lower than wanted",
        arguments: [
            (nil, [], nil, nil, 1), (41, [], nil, nil, 42), (41, [40, 41], nil, nil, 42),
            (41, [57, 12], nil, 57, 58), (nil, [57], nil, 57, 58), (41, [57], 50, 57, 58), (41, [57], 100, 57, 100),
            (41, [], 7, nil, 42), (41, [], .min, nil, 42),
            // No device has seen so many more; one that says so does not use up the numbers.
            (41, [57, 41 + RevisionNumbers.mostReported + 1], nil, 57, 58), (41, [.max], nil, nil, 42),
            (41, [41 + RevisionNumbers.mostReported], 41 + SiteList.largestRevisionStep,
             41 + RevisionNumbers.mostReported, 41 + SiteList.largestRevisionStep),
        ] as [(Int64?, [Int64], Int64?, Int64?, Int64)])
    func next(current: Int64?, reported: [Int64], least: Int64?, ahead: Int64?, expected: Int64) throws {
        let numbers = RevisionNumbers(current: current, reported: reported)
        #expect(numbers.ahead == ahead)
        #expect(try numbers.next(atLeast: least) == expected)
    }

    @Test(
        "a number that is too high is refused",
        arguments: [2 + SiteList.largestRevisionStep, RevisionNumbers.highest + 1, .max])
    func tooHigh(least: Int64) async {
        #expect(await failure { try RevisionNumbers(current: 1, reported: []).next(atLeast: least) }?.code == .limit)
    }

    @Test("a jump of the numbers takes nothing of the revisions before it")
    func tidied() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.publish()
        try await report(5000, bench, at: 0)
        #expect(try await bench.publish(at: 70).number == 5001)
        try await bench.store.tidy(at: bench.at(90))
        let back = try await bench.store.rollBack(
            to: 1, by: bench.ana, at: bench.at(100), build: bench.builder(at: 100))
        #expect(try await bench.store.published(back.number)[whale] != nil)
    }

    @Test("as many revisions are kept whole as the limit says, and of older ones what is said about them")
    func kept() async throws {
        var limits = StoreLimits()
        limits.revisions = 2
        let bench = try Bench(limits)
        try await bench.add(bench.beacon("Whale", minor: 1))
        for second in 1...3 { try await bench.publish(at: Double(second)) }
        try await bench.store.tidy(at: bench.at(4))
        let revisions = try await bench.store.revisions()
        #expect(revisions.map(\.number) == [3, 2, 1] && revisions.map(\.isKept) == [true, true, false])
        #expect(try await bench.store.check() == [])
    }

    private func report(_ revision: Int64, _ bench: Bench, at seconds: Double) async throws {
        try await bench.store.noteReport(
            DeviceReport(
                host: "hall", periodStart: bench.at(seconds), periodEnd: bench.at(seconds + 60), revision: revision),
            at: bench.at(seconds + 60))
    }

    @Test("after an old backup was restored, devices take the next revision, whatever makes it")
    func restored() async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.publish()
        try await report(57, bench, at: 0)
        #expect(try await bench.store.revisionNumbers().ahead == 57)
        let back = try await bench.store.rollBack(
            to: 1, by: bench.ana, at: bench.at(70), build: bench.builder(at: 70))
        #expect(back.number == 58)
        #expect(try await bench.store.revisionNumbers().ahead == nil)
        #expect(try await bench.store.published(58)[whale] != nil)
        try await report(60, bench, at: 100)
        #expect(try await bench.publish(at: 200).number == 61)
        try await report(70, bench, at: 300)
        // The files name their revision, so the builder has to know it.
        let list = try SiteList(json: try await bench.store.built(61).list)
        #expect(list.revision == 61)
        #expect(try await bench.store.revisions().map(\.number) == [61, 58, 1])
        #expect(try await bench.store.built(58).files.isEmpty == false)
        #expect(try await bench.store.check() == [])
    }

    @Test("a report of a revision that cannot be is refused", arguments: [RevisionNumbers.highest + 1, .max, -1])
    func impossible(revision: Int64) async throws {
        let bench = try Bench()
        #expect(await failure { try await report(revision, bench, at: 0) }?.code == .invalid)
    }
}
