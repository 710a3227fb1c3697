package import Health

/// A site and what is told about it.
package struct EmulatedWatch: Sendable {
    package private(set) var site: EmulatedSite
    private var scanners: [ScannerHealth]
    package private(set) var judge = HealthJudge()
    /// What the scanners said of the last minute.
    package private(set) var readings: [ScannerReadings] = []

    /// - Parameter learning: minutes.
    package init(_ site: EmulatedSite, learning: Double = 1440) {
        self.site = site
        scanners = site.scanners.map { ScannerHealth(scanner: $0, learning: learning) }
    }

    /// One minute.
    package mutating func next() -> [HealthChange] {
        let minutes = site.next()
        readings.removeAll(keepingCapacity: true)
        for index in scanners.indices { readings.append(scanners[index].take(minutes[index])) }
        return judge.judge(site.minute, readings)
    }

    package mutating func change(_ body: (inout EmulatedSite) -> Void) { body(&site) }

    /// The alarms of so many days in which nothing happens, after a first time of learning.
    package mutating func falseAlarms(days: Int, afterDays learned: Int = 0) -> [HealthChange] {
        var alarms: [HealthChange] = []
        for minute in 0..<(days + learned) * 1440 {
            let changes = next()
            if minute >= learned * 1440 { alarms += changes.filter { !$0.isOver } }
        }
        return alarms
    }

    /// Plays a scene after days of learning.
    ///
    /// - Parameter decibels: how much weaker the beacon becomes, or how far its new place differs at a scanner.
    /// - Returns: minutes until it was told; nil where it was not told within three hours. The evidence with it. Nil
    ///   where nothing can happen: no other beacon has a place at which this one would be heard in another way.
    package mutating func delay(
        of kind: HealthScene.Kind, learningDays: Int, hour: Int, decibels: Double = 15
    ) -> (minutes: Int?, evidence: String, others: [HealthChange])? {
        for _ in 0..<(learningDays * 1440 + hour * 60) { _ = next() }
        let beacon = 0
        let base = site.scanners.indices.map { site.beacons[beacon].base(at: $0) }
        let worst = base.indices.min { base[$0] < base[$1] } ?? 0
        var scene = HealthScene(
            kind, site.beacons[beacon].id, begins: site.minute + 1, scanner: worst, decibels: decibels)
        switch kind {
        // A place where nobody hears a difference is no other place.
        case .move:
            guard site.changePlace(of: beacon, atLeast: decibels, { $0.move(beacon, to: $0.far(from: beacon)) })
            else { return nil }
        case .swap:
            guard
                site.changePlace(of: beacon, atLeast: decibels, { $0.swap(beacon, with: 1 + Int($0.number(below: 7))) })
            else { return nil }
        default: break
        }
        if kind == .impostorBeside || kind == .impostorCopied { scene.scanner = 0 }
        site.scene = scene
        var others: [HealthChange] = []
        for _ in 0..<180 + (scene.counts - scene.begins) {
            for change in next() where !change.isOver {
                if change.beacon == scene.beacon, scene.told.contains(change.problem.kind) {
                    return (max(0, Int(site.minute - scene.counts) + 1), change.problem.evidence, others)
                }
                others.append(change)
            }
        }
        return (nil, "", others)
    }
}
