import Beacon
import Health
import Testing

/// Scanners and beacons whose levels a test says, minute by minute.
private struct Scene {
    var scanners: [ScannerHealth]
    var judge = HealthJudge()
    var minute: Int64 = 1000
    /// dBm, by scanner and beacon; nil is silence.
    var levels: [[Double?]]
    var blind: Set<Int> = []
    var change: (inout BeaconMinute) -> Void = { _ in }
    /// The beacons that change.
    var changed: Set<Int> = [0]
    private(set) var changes: [HealthChange] = []

    init(_ levels: [[Double?]], expected: KnownBeacons = KnownBeacons(), learning: Double = 120) {
        scanners = levels.indices.map { ScannerHealth(scanner: "pi-\($0 + 1)", learning: learning) }
        for index in scanners.indices { scanners[index].expected = expected }
        judge.expected = expected
        self.levels = levels
    }

    mutating func pass(minutes: Int) {
        for _ in 0..<minutes {
            minute += 1
            var readings: [ScannerReadings] = []
            for scanner in scanners.indices {
                let heard = levels[scanner].enumerated().compactMap { number, level -> BeaconMinute? in
                    guard let level else { return nil }
                    // A little up and down, as anywhere.
                    var heard = BeaconMinute(
                        beacon: beacon(number), count: 100, level: level + Double(minute % 3) - 1, jump: 4,
                        interval: 0.505, claim: -59)
                    if changed.contains(number) { change(&heard) }
                    return heard
                }
                let isBlind = blind.contains(scanner)
                readings.append(
                    scanners[scanner].take(ScannerMinute(minute: minute, isBlind: isBlind, heard: isBlind ? [] : heard))
                )
            }
            changes += judge.judge(minute, readings)
        }
    }

    /// What has been told of the first beacon, with `-` where it is over.
    var told: [String] {
        changes.filter { $0.beacon == beacon(0) }.map { ($0.isOver ? "-" : "") + $0.problem.kind.rawValue }
    }
}

private func beacon(_ number: Int) -> BeaconID {
    BeaconID(uuid: ProximityUUID(7), major: 1, minor: UInt16(number))
}

@Suite struct JudgeTests {
    @Test("a beacon that is silent is missing since it was heard last, until it is heard again")
    func missing() throws {
        var scene = Scene([[-60, -70], [-75, -80]])
        scene.pass(minutes: 200)
        for scanner in 0..<2 { scene.levels[scanner][0] = nil }
        let last = scene.minute
        scene.pass(minutes: 10)
        #expect(scene.told == ["missing"])
        let problem = try #require(scene.changes.first?.problem)
        #expect(problem.since == (last + 1) * 60)
        #expect(problem.evidence == "not heard for 5 min by pi-1, pi-2; it is silent for 5 min at most")
        for scanner in 0..<2 { scene.levels[scanner][0] = -60 }
        scene.pass(minutes: 2)
        #expect(scene.told == ["missing", "-missing"])
    }

    @Test("beacons that lose their power together are missing, and their scanner was not moved")
    func powerCut() {
        var scene = Scene([[-60, -70, -62, -66, -72]])
        scene.pass(minutes: 300)
        for beacon in 0..<4 { scene.levels[0][beacon] = nil }
        scene.pass(minutes: 10)
        #expect(scene.changes.map(\.problem.kind) == Array(repeating: .missing, count: 4))
    }

    @Test("a beacon is not missing while its scanners are blind, and is when they can hear again")
    func blind() {
        var scene = Scene([[-60, -70]])
        scene.pass(minutes: 200)
        scene.blind = [0]
        scene.levels[0][0] = nil
        scene.pass(minutes: 500)
        #expect(scene.told == [])
        scene.blind = []
        scene.pass(minutes: 6)
        #expect(scene.told == ["missing"])
    }

    @Test("a beacon that one scanner still hears has not gone missing")
    func heardElsewhere() {
        var scene = Scene([[-60, -70, -70], [-75, -80, -80]])
        scene.pass(minutes: 200)
        scene.levels[0][0] = nil
        scene.pass(minutes: 60)
        #expect(!scene.told.contains("missing"))
    }

    @Test("an expected beacon that was never heard is missing, unless nobody could hear it")
    func expected() {
        var scene = Scene(
            [[nil, -60]], expected: KnownBeacons([BeaconKey(beacon(0)): .init(name: nil, isExpected: true)]))
        scene.blind = [0]
        scene.pass(minutes: 60)
        #expect(scene.told == [])
        scene.blind = []
        scene.pass(minutes: 12)
        #expect(scene.told == ["missing"])
        scene.levels[0][0] = -60
        scene.pass(minutes: 1)
        #expect(scene.told == ["missing", "-missing"])
    }

    @Test("a beacon is weak only where all scanners hear it weaker, and no longer when it is back")
    func weak() {
        var scene = Scene([[-60, -70, -60], [-70, -65, -60]])
        scene.pass(minutes: 300)
        scene.levels[0][0] = -72
        scene.pass(minutes: 60)
        #expect(scene.told == [])
        scene.levels[1][0] = -82
        scene.pass(minutes: 9)
        #expect(scene.told == ["weak"])
        (scene.levels[0][0], scene.levels[1][0]) = (-60, -70)
        scene.pass(minutes: 10)
        #expect(scene.told == ["weak", "-weak"])
    }

    @Test("a closed door that stays closed for hours, and people on top of it, make no weak beacon")
    func doorAndPeople() {
        var scene = Scene([[-60, -70, -62, -66]])
        scene.pass(minutes: 300)
        for fall in [-5.0, -11.5] {
            scene.levels[0][0] = -60 + fall
            scene.pass(minutes: 60)
        }
        scene.levels[0][0] = -60
        scene.pass(minutes: 20)
        #expect(scene.told == [])
    }

    @Test("a scanner that hears all its beacons weaker has another antenna, and no weak beacons")
    func antenna() {
        var scene = Scene([[-60, -70, -62, -66]])
        scene.pass(minutes: 300)
        scene.levels[0] = scene.levels[0].map { $0.map { $0 - 12 } }
        scene.pass(minutes: 200)
        #expect(scene.changes == [])
    }

    @Test("a scanner that is carried elsewhere learns anew, and moves no beacons")
    func movedScanner() {
        var scene = Scene([[-60, -80, -62, -76, -70, -65], [-70, -70, -70, -70, -70, -70]])
        scene.pass(minutes: 300)
        scene.levels[0] = [-80, -60, -76, -55, -84, -75]
        scene.pass(minutes: 300)
        #expect(scene.changes == [])
    }

    @Test("a beacon that is weaker here and stronger there has moved")
    func moved() throws {
        var scene = Scene([[-60, -70, -60], [-80, -65, -60]])
        scene.pass(minutes: 300)
        (scene.levels[0][0], scene.levels[1][0]) = (-80, -60)
        scene.pass(minutes: 9)
        #expect(scene.told == ["moved"])
        let evidence = try #require(scene.changes.first?.problem.evidence)
        #expect(evidence.hasPrefix("another place: ") && evidence.contains("at pi-2, usually -79 dBm"))
    }

    @Test("a beacon that is heard as usual here, and strongly where it never is, is sent by two")
    func elsewhere() {
        var scene = Scene([[-60, -70], [nil, -60]])
        scene.pass(minutes: 300)
        scene.levels[1][0] = -58
        scene.pass(minutes: 8)
        #expect(scene.told == ["impostor"])
    }

    @Test("two senders at one scanner are told by their addresses, or by the packets in between")
    func twoSenders() {
        for change in [{ $0.returns = 20 }, { ($0.isIrregular, $0.interval, $0.count) = (true, nil, 190) }]
            as [(inout BeaconMinute) -> Void]
        {
            var scene = Scene([[-60, -70]])
            scene.pass(minutes: 300)
            scene.change = change
            scene.pass(minutes: 5)
            #expect(scene.told == ["impostor"])
            scene.change = { _ in }
            scene.pass(minutes: 15)
            #expect(scene.told == ["impostor", "-impostor"])
        }
    }

    @Test("what has always been sent by two is usual")
    func alwaysTwo() {
        var scene = Scene([[-60, -70]])
        scene.change = { $0.returns = 20 }
        scene.pass(minutes: 600)
        #expect(scene.told == [])
    }

    @Test("a longer interval is slow, unless most beacons of the scanner have one")
    func slow() {
        var scene = Scene([[-60, -70, -60]])
        scene.pass(minutes: 300)
        scene.change = { $0.interval = 1.01 }
        scene.pass(minutes: 4)
        #expect(scene.told == ["slow"])
        var all = Scene([[-60, -70, -60]])
        all.changed = [0, 1, 2]
        all.pass(minutes: 300)
        all.change = { $0.interval = 1.01 }
        all.pass(minutes: 4)
        #expect(all.changes == [])
    }

    @Test("another claim is wrong where the level is as before, and right where it has changed as well", arguments: [
        (0.0, ["claim"]), (-10, []),
    ] as [(Double, [String])])
    func claim(change: Double, told: [String]) {
        var scene = Scene([[-60, -70, -60]])
        scene.pass(minutes: 300)
        scene.change = {
            $0.claim = -69
            $0.level += change
        }
        scene.pass(minutes: 12)
        #expect(scene.told.filter { $0 == "claim" } == told)
    }

    @Test("a claim that nothing can send is wrong from the beginning")
    func impossibleClaim() {
        var scene = Scene([[-60, -70]])
        scene.change = { $0.claim = 26 }
        scene.pass(minutes: 130)
        #expect(scene.told == ["claim"])
    }

    @Test("a battery is told when it is low and when it was changed; an octet that is always 0 is none", arguments: [
        ([90, 12, 90], ["battery", "-battery"]), ([0, 0, 0], []), ([200, 7, 255], ["battery"]),
    ] as [([UInt8], [String])])
    func battery(octets: [UInt8], told: [String]) {
        var scene = Scene([[-60, -70]])
        for octet in octets {
            scene.change = { $0.battery = octet }
            scene.pass(minutes: 130)
        }
        #expect(scene.told == told)
    }

    @Test("a visitor's beacon is never missing, and has no level to be weaker than")
    func visitor() {
        var scene = Scene([[-60, -70]])
        scene.pass(minutes: 90)
        scene.levels[0][0] = -75
        scene.pass(minutes: 20)
        scene.levels[0][0] = nil
        scene.pass(minutes: 3000)
        #expect(scene.told == [])
    }

    @Test("a flood of identities does not push out what is learned")
    func flood() {
        var scanner = ScannerHealth(scanner: "a", learning: 60)
        var minute: Int64 = 100
        func heard(_ number: Int) -> BeaconMinute {
            let id = BeaconID(uuid: ProximityUUID(UInt128(number)), major: 0, minor: 0)
            return BeaconMinute(beacon: id, count: 10, level: -70, claim: -59)
        }
        for _ in 0..<70 {
            minute += 1
            _ = scanner.take(ScannerMinute(minute: minute, heard: [heard(1)]))
        }
        for round in 0..<20 {
            minute += 1
            _ = scanner.take(
                ScannerMinute(minute: minute, heard: [heard(1)] + (0..<1000).map { heard(10 + round * 1000 + $0) }))
        }
        let readings = scanner.take(ScannerMinute(minute: minute + 1, heard: [heard(1)])).readings
        #expect(readings.count <= ScannerHealth.mostBeacons)
        #expect(readings.first { $0.isLearned }?.usual == -70)
    }

    @Test("of any number of beacons only so many are judged, and of visitors fewer", arguments: [true, false])
    func limit(isLearned: Bool) {
        var judge = HealthJudge()
        let most = isLearned ? HealthJudge.mostBeacons : HealthJudge.mostVisitors
        let readings = (0...most).map { number in
            HealthReading(beacon: id(number), missingAfter: isLearned ? 5 : nil, claim: -59)
        }
        _ = judge.judge(
            100, [ScannerReadings(scanner: "a", minute: 100, isBlind: false, isSettled: true, readings: readings)])
        #expect(judge.health(of: id(0)) != nil && judge.health(of: id(most - 1)) != nil)
        #expect(judge.health(of: id(most)) == nil)
        let other = HealthReading(beacon: id(most), missingAfter: 5, claim: -59)
        _ = judge.judge(
            101, [ScannerReadings(scanner: "a", minute: 101, isBlind: false, isSettled: true, readings: [other])])
        #expect((judge.health(of: id(most)) != nil) == !isLearned, "visitors leave room for what is learned")
    }

    @Test("expected beacons keep their room in a crowd, and are silent where they are not in it")
    func crowd() {
        let expected = (0..<ScannerHealth.mostBeacons).map(id)
        var scanner = ScannerHealth(scanner: "a")
        let entry = KnownBeacons.Entry(name: nil, isExpected: true)
        scanner.expected = KnownBeacons(Dictionary(uniqueKeysWithValues: expected.map { (BeaconKey($0), entry) }))
        func heard(_ ids: [BeaconID]) -> [BeaconMinute] {
            ids.map { BeaconMinute(beacon: $0, count: 10, level: -70, claim: -59) }
        }
        _ = scanner.take(ScannerMinute(minute: 100, heard: heard(expected)))
        let crowd = (10_000..<12_000).map(id)
        let readings = scanner.take(ScannerMinute(minute: 101, heard: heard(crowd + expected.prefix(50)))).readings
        #expect(readings.map(\.beacon) == expected)
        #expect(readings.map(\.silence) == Array(repeating: 0, count: 50) + Array(repeating: 1, count: 1950))
    }

    private func id(_ number: Int) -> BeaconID {
        BeaconID(uuid: ProximityUUID(UInt128(number)), major: 0, minor: 0)
    }
}
