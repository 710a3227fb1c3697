import Beacon
import Curation
import CurationStore
import Text

/// A device in the list, with its state at an instant.
struct DeviceView {
    var device: Device
    var state: DeviceState
    /// The first beacons that it receives.
    var beacons: [DeviceReport.Heard] = []
    var texts: Catalogue
    var names: BeaconNames?

    /// The most beacons of a device that are listed.
    static let mostBeacons = 100
    /// The most devices whose beacons are listed: those that need somebody come first.
    static let mostDetailed = 500

    func holds(_ revision: Int64) -> Bool {
        device.report.revision == revision && device.report.isComplete && state != .silent
    }

    /// What needs somebody comes first.
    static func isWorse(_ left: Self, _ right: Self) -> Bool {
        (left.rank, left.device.host) < (right.rank, right.device.host)
    }

    private var rank: Int {
        switch state {
        case .silent: 0
        case .ahead: 1
        case .lagging: 2
        case .incomplete: 3
        case .fresh: hasProblems ? 4 : 5
        }
    }

    private var hasProblems: Bool { !device.report.problems.isEmpty || device.report.scanner != "ok" }

    var value: PageValue {
        let report = device.report
        return [
            "host": .text(device.host), "version": .text(report.version),
            "revision": PageValue(report.revision), "at": .moment(device.reportedAt),
            "isSilent": .flag(state == .silent), "state": .text(words), "tone": .text(tone),
            "problems": .list(problems.map { .text($0) }), "hasProblems": .flag(!problems.isEmpty),
            "count": .text("\(device.heard)"), "hasBeacons": .flag(!beacons.isEmpty),
            "more": texts.notShown(device.heard - beacons.count),
            "beacons": .list(
                beacons.map { heard in
                    [
                        "name": .text(names?[heard.id] ?? ""),
                        "level": .text(heard.rssi.map { fixed($0, digits: 0) + " dBm" } ?? ""),
                        "interval": .text(heard.intervalMs.map { fixed($0, digits: 0) + " ms" } ?? ""),
                    ]
                }),
        ]
    }

    private var problems: [String] {
        let report = device.report
        var all = report.scanner == "blind" ? [texts.text("devices.blind")] : []
        all += report.problems
        return all
    }

    private var words: String {
        state == .incomplete
            ? texts.plural("devices.incomplete", max(1, device.report.missing))
            : texts.text("devices.\(state.rawValue)")
    }

    private var tone: String {
        switch state {
        case .fresh: "good"
        case .incomplete: "info"
        case .lagging: "warn"
        case .silent, .ahead: "bad"
        }
    }
}
