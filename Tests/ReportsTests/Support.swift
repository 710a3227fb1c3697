import Beacon
import Ranging
import Reports

let museum = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)

func beacon(_ minor: UInt16) -> BeaconID {
    BeaconID(uuid: museum, major: 1, minor: minor)
}

func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

func sighting(_ minor: UInt16, at seconds: Double?, rssi: Int8?, power: Int8 = -59) -> Sighting {
    Sighting(
        time: seconds.map(Timestamp.init(seconds:)), rssi: rssi,
        beacon: IBeacon(id: beacon(minor), measuredPower: power))
}

/// A beacon's sightings ten times a second, at the times at which it has a level.
func signal(_ minor: UInt16, until end: Double, interval: Double = 0.1, _ level: (Double) -> Int8?) -> [Sighting] {
    (0..<Int(end / interval)).compactMap { step in
        let moment = Double(step) * interval
        return level(moment).map { sighting(minor, at: moment, rssi: $0) }
    }
}

/// What a source reports.
func report(
    _ signals: [[Sighting]], settings: RangingSettings = .init(), names: [BeaconID: String] = [:]
) -> HistoryReport {
    var recording = SourceRecording(settings: settings)
    for sighting in signals.flatMap(\.self).sorted(by: { ($0.time?.seconds ?? 0) < ($1.time?.seconds ?? 0) }) {
        recording.add(sighting)
    }
    return recording.report(names: names, sources: ["file:x"], localTime: .utc)
}
