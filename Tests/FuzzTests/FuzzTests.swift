import FuzzTargets
import Testing
import TestSupport

/// What the fuzzer does without a sanitizer and without coverage: seeds, everything it has found, and some mutations.
@Suite(.timeLimit(.minutes(20)))
struct FuzzTests {
    @Test("every seed is read as it should be", arguments: FuzzTarget.all)
    func seeds(_ target: FuzzTarget) throws {
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        for seed in seeds {
            #expect(seed.count <= target.longestInput)
            try target.check(seed)
        }
    }

    @Test("no fault that was found comes back", arguments: FuzzTarget.all)
    func regressions(_ target: FuzzTarget) throws {
        for input in try files(in: "Fuzz/Regressions/\(target.name)") { try target.check(input) }
    }

    @Test("mutations of the seeds break no invariant", arguments: FuzzTarget.all)
    func mutations(_ target: FuzzTarget) async throws {
        let seeds = try target.seeds()
        var random = SeededGenerator(seed: 1)
        for round in 0..<target.mutationsInTests {
            // Other tests have limits of time.
            if round.isMultiple(of: 50) { await Task.yield() }
            var input = try #require(seeds.randomElement(using: &random))
            input.mutate(&random)
            do {
                try target.check(Array(input.prefix(target.longestInput)))
            } catch {
                Issue.record("\(target.name): \(error), for \(input)")
                return
            }
        }
    }
}

extension Array<UInt8> {
    /// One to four small changes.
    fileprivate mutating func mutate(_ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...count, using: &random)
            guard place < count else {
                append(.random(in: .min ... .max, using: &random))
                continue
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: self[place] = .random(in: .min ... .max, using: &random)
            case 1: self[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: self[place] = [0, 0xFF, 0x7F, 0x80, 0x0A, 0x22].randomElement(using: &random) ?? 0
            case 3: remove(at: place)
            case 4: removeSubrange(place..<Swift.min(count, place + Int.random(in: 1...40, using: &random)))
            default:
                let end = Swift.min(count, place + Int.random(in: 1...40, using: &random))
                insert(contentsOf: self[place..<end], at: Int.random(in: 0...count, using: &random))
            }
        }
    }
}
