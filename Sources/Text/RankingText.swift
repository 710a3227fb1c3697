public import Beacon
public import Ranging

/// Rankings in the documented machine forms.
public struct RankingText: Sendable {
    public var names: [BeaconID: String]

    public init(names: [BeaconID: String]) {
        self.names = names
    }

    public static let csvHeader =
        "time,scanner,nearest,rank,uuid,major,minor,name,rssi,rssi_filtered,measured_power,distance_m,"
        + "distance_low_m,distance_high_m,proximity,last_seen,count"

    /// One JSON object, without a line end.
    public func json(_ ranking: Ranking, isBlind: Bool = false) -> String {
        var json = JSONText()
        json.object { json in
            json.value("time", ranking.time.rfc3339)
            json.value("scanner", isBlind ? "blind" : "ok")
            if let nearest = ranking.nearest {
                json.object("nearest") { $0.identity(nearest, name: names[nearest]) }
            } else {
                json.value("nearest", String?.none)
            }
            json.array("beacons") { json in
                for beacon in ranking.beacons {
                    json.object { $0.ranged(beacon, name: names[beacon.id]) }
                }
            }
        }
        return json.text
    }

    /// One line a beacon, without a header; empty where none is in range.
    public func csv(_ ranking: Ranking, isBlind: Bool = false) -> String {
        ranking.beacons.map { beacon in
            let fields: [String] = [
                ranking.time.rfc3339, isBlind ? "blind" : "ok", beacon.id == ranking.nearest ? "1" : "0",
                "\(beacon.rank)", "\(beacon.id.uuid)", "\(beacon.id.major)", "\(beacon.id.minor)",
                csvField(names[beacon.id] ?? ""), beacon.rssi.map { "\($0)" } ?? "",
                beacon.filteredRSSI.map { fixed($0, digits: 1) } ?? "", "\(beacon.measuredPower)",
                beacon.distance.map { fixed($0.metres, digits: 2) } ?? "",
                beacon.distance.map { fixed($0.low, digits: 2) } ?? "",
                beacon.distance.map { fixed($0.high, digits: 2) } ?? "", beacon.proximity.rawValue,
                beacon.lastSeen.rfc3339, "\(beacon.count)",
            ]
            return fields.joined(separator: ",") + "\n"
        }.joined()
    }
}

extension JSONText {
    /// The keys of a ranked beacon in every documented format.
    public mutating func ranged(_ beacon: RangedBeacon, name: String?) {
        value("rank", beacon.rank)
        identity(beacon.id, name: name)
        value("rssi", beacon.rssi.map(Int.init))
        value("rssi_filtered", beacon.filteredRSSI, digits: 1)
        value("measured_power", Int(beacon.measuredPower))
        value("distance_m", beacon.distance?.metres, digits: 2)
        value("distance_low_m", beacon.distance?.low, digits: 2)
        value("distance_high_m", beacon.distance?.high, digits: 2)
        value("proximity", beacon.proximity.rawValue)
        value("last_seen", beacon.lastSeen.rfc3339)
        value("count", beacon.count)
    }
}
