import Advertising
import Beacon
import Console
import Text

/// The messages of one beacon's run.
enum BeaconRunText {
    static func tell(_ event: BeaconRun.Event, _ settings: BeaconSettings) {
        switch event {
        case .started(let how, let limitation):
            let beacon = settings.beacon
            let digits = settings.interval == settings.interval.rounded() ? 0 : 3
            let interval = fixed(settings.interval, digits: digits)
            Program.write(
                "advertising \(beacon.id.uuid.uppercased) major \(beacon.id.major) minor \(beacon.id.minor), "
                    + "\(beacon.measuredPower) dBm at 1 m, every \(interval) ms, on \(settings.source) "
                    + "(\(how)); Ctrl-C ends it\n")
            if let limitation { Program.write("note: \(limitation)\n") }
            ServiceManager.status(
                "Advertising \(beacon.id.uuid.uppercased) \(beacon.id.major) \(beacon.id.minor) on \(settings.source)")
            ServiceManager.ready()
        case .verified(let reception, let source):
            let rate = reception.meanInterval.map { ", every \(fixed($0 * 1000, digits: 0)) ms" } ?? ""
            let levels = reception.levels.map { "; \($0[1]) dBm (\($0[0]) to \($0[2]))" } ?? ""
            let octets = reception.isWhole
                ? "all octets as sent: \(hexText(settings.beacon.advertisingData()))"
                : "identity and measured power as sent (octets are not told)"
            Program.writeResult("verified by \(source): heard \(reception.count) times\(rate)\(levels); \(octets)")
        }
    }
}
