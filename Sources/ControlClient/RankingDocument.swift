package import Beacon
package import Ranging

/// A ranking in the form that the daemon sends.
package struct RankingDocument: Decodable, Sendable {
    package let ranking: Ranking
    package let isBlind: Bool
    package let names: [BeaconID: String]
    /// The names of the daemon's receivers, indexed by the numbers in the ranking; nil if there is only one.
    package let receivers: [String]?

    private struct Identity: Decodable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        var name: String?

        func id(_ decoder: any Decoder) throws -> BeaconID {
            guard let uuid = ProximityUUID(uuid) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(uuid) is no UUID"))
            }
            return BeaconID(uuid: uuid, major: major, minor: minor)
        }
    }

    private struct Entry: Decodable {
        var rank: Int
        var rssi: Int8?
        var rssiFiltered: Double?
        var measuredPower: Int8
        var distanceM: Double?
        var distanceLowM: Double?
        var distanceHighM: Double?
        var proximity: String
        var lastSeen: String
        var count: Int
        var receivers: [Receiver]?
    }

    private struct Receiver: Decodable {
        var source: String?
        var rssiFiltered: Double?
        var used: Bool
    }

    private struct Document: Decodable {
        var time: String
        var scanner: String
        var nearest: Identity?
        var beacons: [Entry]
    }

    private struct Identities: Decodable {
        var beacons: [Identity]
    }

    package init(from decoder: any Decoder) throws {
        let document = try Document(from: decoder)
        let identities = try Identities(from: decoder).beacons
        func time(_ text: String) throws -> Timestamp {
            guard let time = Timestamp(rfc3339: text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no time"))
            }
            return time
        }
        var known: [String] = []
        var isToldWhoHears = false
        var names: [BeaconID: String] = [:]
        var beacons: [RangedBeacon] = []
        for (entry, identity) in zip(document.beacons, identities) {
            let id = try identity.id(decoder)
            names[id] = identity.name
            var distance: Distance?
            if let metres = entry.distanceM {
                distance = Distance(
                    metres: metres, low: entry.distanceLowM ?? metres, high: entry.distanceHighM ?? metres)
            }
            var (source, others): (SourceID?, [ReceiverLevel]) = (nil, [])
            if entry.receivers != nil { isToldWhoHears = true }
            for receiver in entry.receivers ?? [] {
                guard let name = receiver.source, let level = receiver.rssiFiltered else { continue }
                let index = known.firstIndex(of: name) ?? known.count
                if index == known.count { known.append(name) }
                let heard = SourceID(place: index)
                if receiver.used { source = heard } else { others.append(.init(source: heard, level: level)) }
            }
            beacons.append(
                RangedBeacon(
                    rank: entry.rank, id: id, rssi: entry.rssi, filteredRSSI: entry.rssiFiltered,
                    measuredPower: entry.measuredPower, distance: distance,
                    proximity: Proximity(rawValue: entry.proximity) ?? .unknown, lastSeen: try time(entry.lastSeen),
                    count: entry.count, source: source, others: OtherReceivers(others)))
        }
        if let nearest = document.nearest { names[try nearest.id(decoder)] = nearest.name }
        self.names = names
        receivers = isToldWhoHears ? known : nil
        isBlind = document.scanner == "blind"
        ranking = Ranking(
            time: try time(document.time), nearest: try document.nearest?.id(decoder), beacons: beacons)
    }
}
