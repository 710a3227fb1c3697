package import Beacon
package import Ranging

/// Rankings in the documented machine-readable formats.
package struct RankingText: Sendable {
    package var names: [BeaconID: String]
    /// The names of the receivers, indexed by the numbers in sightings. If set, JSON lists the receivers of each
    /// beacon. Nil if there is only one receiver.
    package var receivers: [String]?

    package init(names: [BeaconID: String], receivers: [String]? = nil) {
        self.names = names
        self.receivers = receivers
    }

    package static let csvHeader =
        "time,scanner,nearest,rank,uuid,major,minor,name,rssi,rssi_filtered,measured_power,distance_m,"
        + "distance_low_m,distance_high_m,proximity,last_seen,count"

    /// One JSON object, without a line end.
    package func json(_ ranking: Ranking, isBlind: Bool = false) -> String {
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
                    json.object { $0.ranged(beacon, name: names[beacon.id], receivers: receivers) }
                }
            }
        }
        return json.text
    }

    /// One line for each beacon, without a header; empty if none is in range.
    package func csv(_ ranking: Ranking, isBlind: Bool = false) -> String {
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
    ///
    /// - Parameter receivers: their names, indexed by their numbers; nil omits them.
    package mutating func ranged(_ beacon: RangedBeacon, name: String?, receivers: [String]? = nil) {
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
        if let receivers { self.receivers(of: beacon, receivers) }
    }

    /// The receiver whose level is used comes first.
    private mutating func receivers(of beacon: RangedBeacon, _ names: [String]) {
        array("receivers") { json in
            func tell(_ source: SourceID, _ level: Double, isUsed: Bool) {
                json.object { json in
                    json.value("source", source.place < names.count ? names[source.place] : nil)
                    json.value("rssi_filtered", level, digits: 1)
                    json.value("used", isUsed)
                }
            }
            if let source = beacon.source, let level = beacon.filteredRSSI { tell(source, level, isUsed: true) }
            for other in beacon.others.levels { tell(other.source, other.level, isUsed: false) }
        }
    }
}
