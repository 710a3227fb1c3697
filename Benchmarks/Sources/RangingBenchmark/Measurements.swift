import Beacon
import Glibc
import Ranging
import Reports

private let clock = ContinuousClock()

/// Microseconds a sighting, the best of five runs.
private func cost(beacons: Int) -> Double {
    var ranger = Ranger()
    var workload = Workload(beacons: beacons, interval: 100_000)
    var best = Double.infinity
    for _ in 0..<5 {
        let sightings = (0..<200_000).map { _ in workload.next() }
        let duration = clock.measure {
            for sighting in sightings { ranger.add(sighting) }
        }
        best = min(best, duration.microseconds / 200_000)
        _ = ranger.tick(at: Timestamp(microseconds: workload.time))
    }
    return best
}

func sightingCost() -> Row {
    Row(name: "a sighting with 200 beacons", value: cost(beacons: 200), limit: 1, unit: "µs")
}

func sightingRatio() -> Row {
    Row(
        name: "a sighting with 10,000 beacons, against 200", value: cost(beacons: 10_000) / cost(beacons: 200),
        limit: 10, unit: "times")
}

/// From each sighting to the ranked list that has it, 10,000 beacons, 10,000 sightings a second.
func latency(keepsLists: Bool) -> Row {
    var ranger = Ranger()
    var workload = Workload(beacons: 10_000, interval: 1_000_000)
    for _ in 0..<50_000 { ranger.add(workload.next()) }
    _ = ranger.tick(at: Timestamp(microseconds: workload.time))
    var kept: [Ranking] = []
    var best = (p50: Double.infinity, p99: Double.infinity, maximum: Double.infinity)
    for _ in 0..<3 {
        var times: [Double] = []
        for _ in 0..<10_000 {
            let sighting = workload.next()
            let time = Timestamp(microseconds: workload.time)
            let duration = clock.measure {
                ranger.add(sighting)
                let (ranking, _) = ranger.tick(at: time)
                if keepsLists { kept = [ranking] }
            }
            times.append(duration.microseconds)
        }
        times.sort()
        if times[9900] < best.p99 { best = (times[5000], times[9900], times[9999]) }
    }
    return Row(
        name: "p99 from sighting to ranked list, 10,000 beacons" + (keepsLists ? ", lists kept" : ""),
        value: best.p99, limit: 1000, unit: "µs",
        detail: "p50 \(rounded(best.p50)), greatest \(rounded(best.maximum)), \(kept.count) kept")
}

/// A ranked list after one change, against one after all have changed.
func changeRatio() -> Row {
    var ranger = Ranger()
    var workload = Workload(beacons: 10_000, interval: 1_000_000)
    var one = Double.infinity
    var all = Double.infinity
    for _ in 0..<10 {
        for _ in 0..<10_000 { ranger.add(workload.next()) }
        let time = Timestamp(microseconds: workload.time)
        all = min(all, clock.measure { _ = ranger.tick(at: time) }.microseconds)
        ranger.add(workload.next())
        one = min(one, clock.measure { _ = ranger.tick(at: time) }.microseconds)
    }
    return Row(
        name: "one change of 10,000, against all changed", value: one / all, limit: 0.1, unit: "times",
        detail: "\(rounded(one)) µs against \(rounded(all)) µs")
}

/// Recording sightings for the history, against ranging them: the best of eight rounds of 40,000.
func recordingRatio() -> Row {
    var ranger = Ranger()
    var recorder = ObservationRecorder(interval: 60)
    var workload = Workload(beacons: 200, interval: 5000)
    var (ranging, recording) = (Double.infinity, Double.infinity)
    for _ in 0..<8 {
        let heard = (0..<40_000).map { _ in workload.next() }
        var result: (ranking: Ranking, events: [RangingEvent]) = (
            Ranking(time: Timestamp(microseconds: 0), nearest: nil, beacons: []), []
        )
        let duration = clock.measure {
            for sighting in heard { ranger.add(sighting) }
            result = ranger.tick(at: Timestamp(microseconds: workload.time))
        }
        ranging = min(ranging, duration.microseconds / 40_000)
        let taken = clock.measure { _ = recorder.observe(heard, result.ranking, result.events, isBlind: false) }
        recording = min(recording, taken.microseconds / 40_000)
    }
    return Row(
        name: "recording a sighting, against ranging it", value: recording / ranging, limit: 1, unit: "times",
        detail: "\(rounded(recording * 1000)) ns against \(rounded(ranging * 1000)) ns")
}

/// Resident memory a beacon.
func memory() -> Row {
    var workload = Workload(beacons: 10_000, interval: 100_000)
    let before = residentBytes()
    var ranger = Ranger()
    for _ in 0..<400_000 { ranger.add(workload.next()) }
    let (ranking, _) = ranger.tick(at: Timestamp(microseconds: workload.time))
    let after = residentBytes()
    return Row(
        name: "memory of a beacon", value: Double(after - before) / 10_000, limit: 1024, unit: "bytes",
        detail: "\(ranking.beacons.count) ranked")
}

private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, 128, file) != nil else { return 0 }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
