package import Beacon
import Console
package import Serving
package import Text

/// A request without its protocol.
package struct ControlRequest: Sendable {
    /// The path as it was requested.
    package var path: String
    /// The request came over the Unix socket.
    package var isLocal: Bool
    /// The variable parts of the path, by their names in the route: `{uuid}`.
    var parameters: [String: String]
    /// The names and values of the query, decoded.
    var queries: [(name: String, value: String)]
    /// Header fields by name in lower case.
    var fields: [String: String]

    /// A variable part of the path.
    package subscript(parameter: String) -> String { parameters[parameter] ?? "" }

    /// A value of the query; of several, the last one counts.
    package func query(_ name: String) -> String? {
        queries.last { $0.name == name }?.value
    }

    /// A time in the query. Its offset may contain an unescaped `+`, which was decoded as a space.
    package func time(_ name: String) -> String? {
        query(name).map { text -> String in
            let (start, offset) = (text.dropLast(5), text.suffix(5))
            guard start.last == " ", offset.contains(":") else { return text }
            return String(start.dropLast()) + "+" + String(offset)
        }
    }

    /// How many beacons a request can name: each costs time for every beacon that it is compared with.
    package static let mostBeacons = 64

    /// The beacons of `?beacon=`, which may be repeated; all beacons without it.
    ///
    /// - Throws: a failure if one is empty, and if there are too many.
    package func beacons() throws(Refusal) -> BeaconFilter {
        let count = queries.count { $0.name == "beacon" }
        guard count <= Self.mostBeacons else {
            throw Refusal(
                400, "\(count) beacons are named; at most \(Self.mostBeacons) are allowed",
                whatToDo: "name fewer of them, or none for all")
        }
        var wanted: [BeaconQuery] = []
        for (name, value) in queries where name == "beacon" {
            guard let query = BeaconQuery(argument: value) else {
                throw Refusal(
                    400, "no beacon is named", whatToDo: "write beacon= and a name, UUID/MAJOR/MINOR or MAJOR.MINOR")
            }
            wanted.append(query)
        }
        return BeaconFilter(wanted)
    }

    /// A header field, by its name in lower case.
    package func field(_ name: String) -> String? { fields[name] }

    /// Whether a flag of the query is on: `?states=1`, `?states=true`, `?states`. Off is `0`, `false`, or no flag.
    ///
    /// - Throws: a failure for another value.
    package func isSet(_ name: String) throws(Refusal) -> Bool {
        guard let text = query(name) else { return false }
        switch text.lowercased() {
        case "1", "true", "yes", "on", "": return true
        case "0", "false", "no", "off": return false
        default:
            throw Refusal(
                400, "\(name)=\(text) is neither on nor off", whatToDo: "write \(name)=1, or leave it out")
        }
    }

    /// A whole number of the query; nil if it is missing.
    ///
    /// - Throws: a failure if it is not a number or out of range.
    package func number(_ name: String, in range: ClosedRange<UInt64>) throws(Refusal) -> UInt64? {
        guard let text = query(name) else { return nil }
        guard let value = UInt64(text), range.contains(value) else {
            throw Refusal(
                400, "\(name)=\(text) is no whole number from \(range.lowerBound) to \(range.upperBound)",
                whatToDo: "write \(name) as a number, or leave it out")
        }
        return value
    }

    /// The beacon in `{uuid}/{major}/{minor}`.
    package func beacon() throws(Refusal) -> BeaconID {
        let text = "\(self["uuid"])/\(self["major"])/\(self["minor"])"
        guard let beacon = BeaconID(text) else {
            throw Refusal(
                400, "\(text) is no beacon",
                whatToDo: "write UUID/MAJOR/MINOR, as in 636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/7")
        }
        return beacon
    }
}
