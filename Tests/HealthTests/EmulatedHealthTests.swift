import Health
import HealthEmulation
import Testing

/// What `health-emulation` measures in large, in small: docs/health.md.
@Suite struct EmulatedHealthTests {
    @Test(
        "what happens to a beacon is told within ten minutes", .timeLimit(.minutes(10)),
        arguments: [1, 4].flatMap { scanners in
            // One scanner cannot know of two places.
            HealthScene.Kind.allCases.filter { scanners > 1 || $0 != .impostorElsewhere }.map { ($0, scanners) }
        })
    func scene(kind: HealthScene.Kind, scanners: Int) throws {
        var watch = EmulatedWatch(EmulatedSite(scanners: scanners, beacons: 8, seed: 3), learning: 720)
        let played = watch.delay(of: kind, learningDays: 1, hour: 14)
        let result = try #require(played)
        #expect(try #require(result.minutes) <= 10, "\(result.evidence)")
        #expect(!result.evidence.isEmpty)
    }

    /// More than a beacon-year for each number of scanners. Doors and people together can take away 15 dB for ten
    /// minutes: it is a matter of how often, as docs/health.md says, so one alarm is not wrong.
    @Test("months in which nothing happens have one alarm at most", .timeLimit(.minutes(10)), arguments: [1, 4])
    func noAlarm(scanners: Int) {
        var alarms: [HealthChange] = []
        var watched = 0
        for seed in 1...4 as ClosedRange<UInt64> {
            var watch = EmulatedWatch(EmulatedSite(scanners: scanners, beacons: 6, seed: seed))
            alarms += watch.falseAlarms(days: 21)
            watched += watch.judge.health.count { $0.isLearned }
        }
        // A scanner that was moved in the last day learns anew.
        #expect(watched >= 18)
        #expect(alarms.count <= 1, "\(alarms)")
    }

    @Test("the same minutes give the same answers")
    func deterministic() {
        var watches = (0..<2).map { _ in EmulatedWatch(EmulatedSite(scanners: 2, beacons: 4, seed: 9), learning: 120) }
        for _ in 0..<600 { #expect(watches[0].next() == watches[1].next()) }
        #expect(watches[0].judge.health == watches[1].judge.health)
    }
}
