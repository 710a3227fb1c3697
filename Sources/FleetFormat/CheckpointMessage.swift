import Beacon
package import Rooms
import Text

/// Everything that a resolver knows at the end of a minute, retained on `{prefix}/fleet/checkpoint/{part}`, for another
/// resolver to continue from. Its format may change with any version. One that cannot be read is ignored.
///
///     {"form":1,"second":1767225659,"part":0,"parts":1,"map":"…","scanners":[[0.5,1767225659],…],
///      "proposal":{"from":…,"antennas":{…}},"beacons":[{…},…]}
///
/// All resolvers publish the same bytes.
package enum CheckpointMessage {
    package static let mostBytes = 128 << 10
    /// Each has up to 64 KiB of beacons. `RoomResolver.mostPlaces` needs about 50 of them.
    package static let mostParts = 128
    private static let form = 1
    /// The maximum bytes of beacons in one part, so that brokers with small limits accept it too.
    private static let partBytes = 64 << 10

    /// A part of a checkpoint: its own beacons, and everything else.
    package struct Part: Hashable, Sendable {
        package var part: Int
        package var parts: Int
        package var checkpoint: RoomCheckpoint
    }

    /// - Returns: the parts in their order; none if it does not fit.
    package static func parts(_ checkpoint: RoomCheckpoint) -> [String] {
        var groups: [[String]] = [[]]
        var size = 0
        for followed in checkpoint.followed {
            let text = Self.text(followed)
            if size + text.utf8.count > partBytes {
                groups.append([])
                size = 0
            }
            groups[groups.count - 1].append(text)
            size += text.utf8.count
        }
        guard groups.count <= mostParts else { return [] }
        return groups.enumerated().map { part, beacons in
            var json = JSONText()
            json.object { json in
                json.value("form", form)
                json.value("second", Int(checkpoint.second))
                json.value("part", part)
                json.value("parts", groups.count)
                json.value("map", checkpoint.map)
                json.array("scanners") { json in
                    for (antenna, awake) in zip(checkpoint.antennas, checkpoint.lastAwake) {
                        json.array { json in
                            json.value(nil, antenna, digits: 1)
                            json.value(nil, awake.map { Int($0) })
                        }
                    }
                }
                if let proposal = checkpoint.proposal { json.raw("proposal", AntennasMessage.json(proposal)) }
                json.raw("beacons", "[" + beacons.joined(separator: ",") + "]")
            }
            return json.text
        }
    }

    private static func text(_ followed: RoomCheckpoint.Followed) -> String {
        var json = JSONText()
        json.object { json in
            json.identity(followed.beacon, name: nil)
            // With all digits, because these numbers are not for people.
            json.raw("level", "\(followed.level)")
            json.raw("variance", "\(followed.variance)")
            json.value("pause", followed.pause)
            json.value("last", followed.lastSecond.map { Int($0) })
            json.value("began", followed.began.map { Int($0) })
            json.pairs("heard", followed.lastHeard.mapValues { Int($0) })
            json.array("witnesses") { json in for witness in followed.witnesses { json.value(nil, witness) } }
            if let places = followed.places {
                json.pairs("still", places.still)
                json.pairs("moving", places.moving)
            }
            json.value("room", followed.room)
            json.value("last_room", followed.lastRoom)
            json.value("unknown", followed.unknown?.rawValue)
            json.value("since", Int(followed.since))
            json.value("doubtful", followed.doubtful)
            if let spot = followed.spot {
                json.array("spot") { json in
                    for number in [spot.position.x, spot.position.y, spot.within] { json.value(nil, number, digits: 1) }
                }
            }
        }
        return json.text
    }

    /// - Throws: `FleetMessageError` if it is not such a message, or one of another version.
    package static func part(json: [UInt8]) throws(FleetMessageError) -> Part {
        guard json.count <= mostBytes else { throw FleetMessageError("is larger than \(mostBytes >> 10) KiB") }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "checkpoint")
        guard wire.form == form else { throw FleetMessageError("is of another version") }
        guard (1...mostParts).contains(wire.parts), (0..<wire.parts).contains(wire.part),
            SecondBarrier.seconds.contains(wire.second), wire.scanners.count <= SecondBarrier.mostScanners,
            wire.scanners.compactMap(\.lastAwake).allSatisfy(SecondBarrier.seconds.contains),
            wire.proposal.map({ SecondBarrier.seconds.contains($0.from) }) ?? true
        else { throw FleetMessageError("has impossible numbers") }
        let followed = wire.beacons.compactMap(\.followed)
        guard followed.count == wire.beacons.count else { throw FleetMessageError("has an impossible beacon") }
        return Part(
            part: wire.part, parts: wire.parts,
            checkpoint: RoomCheckpoint(
                second: wire.second, map: wire.map, followed: followed, antennas: wire.scanners.map(\.antenna),
                lastAwake: wire.scanners.map(\.lastAwake),
                proposal: wire.proposal.map { AntennaProposal(second: $0.from, antennas: $0.antennas) }))
    }
}

extension JSONText {
    /// Numbers by their index, as one list: `[index,number,index,number]`.
    fileprivate mutating func pairs(_ key: String, _ numbers: [Int: Int]) {
        array(key) { json in
            for (index, number) in numbers.sorted(by: { $0.key < $1.key }) {
                json.value(nil, index)
                json.value(nil, number)
            }
        }
    }
}

private struct Wire: Decodable {
    struct Scanner: Decodable {
        var antenna: Double
        var lastAwake: Int64?

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            antenna = try list.decode(Double.self)
            lastAwake = try list.decodeIfPresent(Int64.self)
        }
    }

    struct Proposal: Decodable {
        var from: Int64
        var antennas: [String: Double]
    }

    struct Followed: Decodable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        var level: Double
        var variance: Double
        var pause: Int
        var last: Int64?
        var began: Int64?
        var heard: [Int64]
        var witnesses: [Int]
        var still: [Int]?
        var moving: [Int]?
        var room: Int?
        var last_room: Int?
        var unknown: String?
        var since: Int64
        var doubtful: Int
        var spot: [Double]?

        /// Nil if it cannot be a beacon.
        var followed: RoomCheckpoint.Followed? {
            guard let uuid = ProximityUUID(uuid), (still == nil) == (moving == nil), let heard = pairs(heard),
                witnesses.count <= SecondBarrier.mostScanners, spot.map({ $0.count == 3 }) ?? true,
                ([last, began].compactMap(\.self) + [since] + heard.values).allSatisfy(SecondBarrier.seconds.contains),
                (0...1_000_000).contains(doubtful)
            else { return nil }
            var places: RoomCheckpoint.Places?
            if let still, let moving {
                guard let still = pairs(still), let moving = pairs(moving) else { return nil }
                places = .init(still: still, moving: moving)
            }
            return RoomCheckpoint.Followed(
                beacon: BeaconID(uuid: uuid, major: major, minor: minor), level: level, variance: variance,
                pause: pause,
                lastSecond: last, began: began, lastHeard: heard, witnesses: witnesses, places: places, room: room,
                lastRoom: last_room, unknown: unknown.flatMap(RoomAnswer.Unknown.init), since: since,
                doubtful: doubtful, spot: spot.map { Spot(position: Position(x: $0[0], y: $0[1]), within: $0[2]) })
        }

        private func pairs<Number: BinaryInteger>(_ list: [Number]) -> [Int: Number]? {
            guard list.count.isMultiple(of: 2) else { return nil }
            var numbers: [Int: Number] = [:]
            for index in stride(from: 0, to: list.count, by: 2) {
                guard let key = Int(exactly: list[index]) else { return nil }
                numbers[key] = list[index + 1]
            }
            return numbers
        }
    }

    var form: Int
    var second: Int64
    var part: Int
    var parts: Int
    var map: String
    var scanners: [Scanner]
    var proposal: Proposal?
    var beacons: [Followed]
}
