package import Rooms
import Text

/// What was learned about the scanners' antennas, retained on `{prefix}/fleet/antennas`:
///
///     {"from":1767225660,"antennas":{"pi-1":-3.2}}
///
/// At the end of a minute, each resolver proposes it for half a minute later. All resolvers then use what the broker
/// retains.
package enum AntennasMessage {
    package static let mostBytes = 64 << 10

    package static func json(_ proposal: AntennaProposal) -> String {
        var json = JSONText()
        json.object { json in
            json.value("from", Int(proposal.second))
            json.object("antennas") { json in
                for (scanner, decibels) in proposal.antennas.sorted(by: { $0.key < $1.key }) {
                    json.value(scanner, decibels, digits: 1)
                }
            }
        }
        return json.text
    }

    /// - Throws: `FleetMessageError` if it is not such a message.
    package static func proposal(json: [UInt8]) throws(FleetMessageError) -> AntennaProposal {
        guard json.count <= mostBytes else { throw FleetMessageError("is larger than \(mostBytes >> 10) KiB") }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "list of antennas")
        guard SecondBarrier.seconds.contains(wire.from) else {
            throw FleetMessageError("has an impossible second")
        }
        return AntennaProposal(second: wire.from, antennas: wire.antennas)
    }

    private struct Wire: Decodable {
        var from: Int64
        var antennas: [String: Double]
    }
}
