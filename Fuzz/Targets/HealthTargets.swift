import Beacon
import FleetFormat
import Health

extension FuzzTarget {
    /// What a scanner says of its beacons each minute, from a broker. What is read can be judged, and written again.
    static let healthReadings = FuzzTarget("health-readings", words: jsonWords) {
        let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
        let readings = ScannerReadings(
            scanner: "pi-1", minute: 29_453_760, isBlind: false, isSettled: true,
            readings: [
                HealthReading(
                    beacon: beacon, silence: 0, missingAfter: 5, share: 0.99, level: -63, usual: -60, isSteady: true,
                    spread: 1.2, dip: 7, drift: -0.5, interval: 0.505, usualInterval: 0.505, claim: -59,
                    usualClaim: -59,
                    battery: 80)
            ])
        return [Array(HealthReadingsMessage(readings).json.utf8)]
    } check: { octets in
        guard let message = try refusing({ try HealthReadingsMessage(json: octets, host: "pi-1") }) else { return }
        try require(message.readings.readings.count <= HealthReadingsMessage.mostRows, "too many rows")
        var judge = HealthJudge()
        for minute in 1...6 { _ = judge.judge(message.readings.minute + Int64(minute), [message.readings]) }
        let again = try HealthReadingsMessage(json: Array(message.json.utf8), host: "pi-1")
        try require(again.json == message.json, "written otherwise the second time")
    }

    /// What is retained of a beacon's health.
    static let beaconHealth = FuzzTarget("beacon-health", words: jsonWords) {
        var health = BeaconHealth(beacon: BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2))
        health.problems = [HealthProblem(kind: .weak, since: 1_767_225_600, evidence: "12 dB weaker than usual")]
        return [Array(BeaconHealthMessage(health).json().utf8)]
    } check: { octets in
        guard let message = try refusing({ try BeaconHealthMessage(json: octets) }) else { return }
        var judge = HealthJudge()
        judge.adopt(message.health)
        let again = try BeaconHealthMessage(json: Array(message.json().utf8))
        try require(again.json() == message.json(), "written otherwise the second time")
    }

    /// What is kept of what was learned, from a file.
    static let healthMemory = FuzzTarget("health-memory", words: jsonWords) {
        var scanner = ScannerHealth(scanner: "hci0", learning: 1)
        let heard = BeaconMinute(
            beacon: BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2), count: 9, level: -60, interval: 0.5,
            claim: -59)
        for minute in 1...5 { _ = scanner.take(ScannerMinute(minute: Int64(minute), heard: [heard])) }
        let memory = HealthMemory(
            scanners: [.init(name: "hci0", age: 5, receptions: scanner.receptions)], health: [])
        return [Array(memory.json.utf8)]
    } check: { octets in
        guard let memory = try refusing({ try HealthMemory(json: octets) }) else { return }
        var watch = HealthWatch(learning: 10)
        watch.restore(memory)
        for minute in 1...3 {
            _ = watch.take(
                [], at: Timestamp(seconds: Double(minute) * 60), sources: memory.scanners.map { (0, $0.name, false) })
        }
    }
}
