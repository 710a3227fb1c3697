package import Beacon
import Console
package import Text

/// What is asked, without the protocol around it.
package struct ControlRequest: Sendable {
    /// The path as it was asked for.
    package var path: String
    /// It came over the Unix socket.
    package var isLocal: Bool
    /// The parts of the path that the route names: `{uuid}`.
    var parameters: [String: String]
    /// The query's names and values, decoded.
    var queries: [(name: String, value: String)]
    /// Fields by name in lower case.
    var fields: [String: String]

    /// A part of the path.
    package subscript(parameter: String) -> String { parameters[parameter] ?? "" }

    /// A value of the query; the last of several counts.
    package func query(_ name: String) -> String? {
        queries.last { $0.name == name }?.value
    }

    /// The beacons of `?beacon=`, which may be repeated; all where it is not there. Throws a refusal for an empty one.
    package func beacons() throws(ControlFailure) -> BeaconFilter {
        var wanted: [BeaconQuery] = []
        for (name, value) in queries where name == "beacon" {
            guard let query = BeaconQuery(argument: value) else {
                throw ControlFailure(
                    400, "no beacon is named", whatToDo: "write beacon= and a name, UUID/MAJOR/MINOR or MAJOR.MINOR")
            }
            wanted.append(query)
        }
        return BeaconFilter(wanted)
    }

    /// A field, by its name in lower case.
    package func field(_ name: String) -> String? { fields[name] }

    /// The query says yes: `?states=1`, `?states=true`, `?states`.
    package func isSet(_ name: String) -> Bool {
        query(name).map { ["1", "true", "yes", "on", ""].contains($0.lowercased()) } ?? false
    }

    /// A whole number of the query; nil where it is not there. Throws a refusal where it is none, or out of range.
    package func number(_ name: String, in range: ClosedRange<UInt64>) throws(ControlFailure) -> UInt64? {
        guard let text = query(name) else { return nil }
        guard let value = UInt64(text), range.contains(value) else {
            throw ControlFailure(
                400, "\(name)=\(text) is no whole number from \(range.lowerBound) to \(range.upperBound)",
                whatToDo: "write \(name) as a number, or leave it away")
        }
        return value
    }

    /// The beacon in `{uuid}/{major}/{minor}`.
    package func beacon() throws(ControlFailure) -> BeaconID {
        let text = "\(self["uuid"])/\(self["major"])/\(self["minor"])"
        guard let beacon = BeaconID(text) else {
            throw ControlFailure(
                400, "\(text) is no beacon",
                whatToDo: "write UUID/MAJOR/MINOR, as in 636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/7")
        }
        return beacon
    }
}
