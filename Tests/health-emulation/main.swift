import Beacon
import Health
import HealthEmulation

// How soon what happens to a beacon is told, and how often something is told that did not happen: the tables of
// docs/health.md.
//
//   health-emulation [BEACON-YEARS [SCENES OF EACH KIND [show]]]

let words = CommandLine.arguments.dropFirst()
let years = words.first.flatMap { Int($0) } ?? 100
let scenes = words.dropFirst().first.flatMap { Int($0) } ?? 20
/// Every alarm is written.
let isShown = words.contains("show")

let beacons = 8
let sizes = [1, 4]

func percentile(_ share: Double, of values: [Int]) -> String {
    guard !values.isEmpty else { return "-" }
    let value = values[min(values.count - 1, Int(share * Double(values.count)))]
    return value == .max ? "never" : "\(value)"
}

/// A row for a kind: for each size, how many were told within ten minutes, the median delay, the 95 % quantile and the
/// longest.
func row(_ kind: HealthScene.Kind, _ decibels: Double?) -> String {
    let name = decibels.map { "\(kind.rawValue), \(Int($0)) dB" } ?? kind.rawValue
    let cells = sizes.map { scanners in
        // One scanner cannot know of two places.
        guard kind != .impostorElsewhere || scanners > 1 else { return "–" }
        var delays: [Int] = []
        for number in 0..<scenes {
            var watch = EmulatedWatch(EmulatedSite(scanners: scanners, beacons: beacons, seed: UInt64(1000 + number)))
            guard let result = watch.delay(of: kind, learningDays: 4, hour: number % 24, decibels: decibels ?? 15)
            else { continue }
            delays.append(result.minutes ?? .max)
            if isShown {
                print(
                    "  \(name), \(scanners), \(number): \(result.minutes.map { "\($0)" } ?? "never") \(result.evidence)"
                )
            }
        }
        delays.sort()
        let inTime = delays.count { $0 <= 10 }
        return
            "\(inTime) of \(delays.count); \(percentile(0.5, of: delays)), \(percentile(0.95, of: delays)) and "
                + "\(percentile(1, of: delays)) min"
    }
    return "| \(name) | \(cells.joined(separator: " | ")) |"
}

if scenes > 0 {
    print(
        "| scene | \(sizes.map { "\($0) scanners" }.joined(separator: " | ")) "
            + "|\n|---|\(sizes.map { _ in "---|" }.joined())")
    for kind in HealthScene.Kind.allCases {
        let strengths: [Double?] = kind.isDecibels ? [15, 12] : [nil]
        for decibels in strengths { print(row(kind, decibels)) }
    }
}

if years > 0 {
    // At least as many as are asked for.
    let sites = (years + sizes.count * beacons - 1) / (sizes.count * beacons)
    print("\n| building | beacon-years | false alarms | a beacon-year | of them |\n|---|---|---|---|---|")
    for scanners in sizes {
        var alarms: [String: Int] = [:]
        for seed in 0..<sites {
            var watch = EmulatedWatch(EmulatedSite(scanners: scanners, beacons: beacons, staff: 1, seed: UInt64(seed)))
            let start = watch.site.minute
            for alarm in watch.falseAlarms(days: 365) {
                let isStaff = watch.site.beacons.contains { $0.id == alarm.beacon && $0.isCarried }
                let whose = isStaff ? " (staff)" : alarm.beacon.major == 9 ? " (visitor)" : ""
                alarms[alarm.problem.kind.rawValue + whose, default: 0] += 1
                if isShown {
                    let day = (alarm.problem.since / 60 - start) / 1440
                    print(
                        "  site \(seed), beacon \(alarm.beacon.minor)\(whose), day \(day): \(alarm.problem.kind): "
                            + "\(alarm.problem.evidence)")
                }
            }
        }
        let all = alarms.values.reduce(0, +)
        let each = Double(Int(Double(all) / Double(sites * beacons) * 1000)) / 1000
        let kinds = alarms.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("| \(scanners) scanners | \(sites * beacons) | \(all) | \(each) | \(kinds) |")
    }
}
