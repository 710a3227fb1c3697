package import Beacon

/// Which beacon a user means: `UUID/MAJOR/MINOR`, a part of it that is enough (`UUID`, `UUID/MAJOR`, `MAJOR.MINOR`), or
/// a name. A dot does for a slash between the numbers.
package struct BeaconQuery: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    private let uuid: ProximityUUID?
    private let numbers: [UInt16]

    /// Nil for no text at all.
    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        description = argument
        var parts = argument.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." }
        uuid = parts.first.flatMap { ProximityUUID($0) }
        if uuid != nil { parts.removeFirst() }
        let numbers = parts.compactMap { UInt16($0) }
        self.numbers = numbers.count == parts.count && (uuid != nil || parts.count == 2) ? numbers : []
        // A UUID with something else behind it is no UUID.
        isIdentity = uuid != nil ? numbers.count == parts.count && parts.count <= 2 : !self.numbers.isEmpty
    }

    /// It is an identity or a part of one; else only a name can be meant.
    package let isIdentity: Bool

    /// How many candidates are told.
    static let listed = 20

    /// Whether this beacon, by this name, is meant.
    package func matches(_ id: BeaconID, name: String?) -> Bool {
        if let name, name.lowercased() == description.lowercased() { return true }
        guard isIdentity else { return false }
        let own = [id.major, id.minor]
        return (uuid == nil || uuid == id.uuid) && numbers.elementsEqual(own.prefix(numbers.count))
    }

    /// The one that is meant among those that are known. Throws a failure that says which there are.
    ///
    /// - Parameter known: how they are known, as in "was not heard".
    package func only(
        among beacons: some Sequence<BeaconID>, names: [BeaconID: String], known: String = "heard"
    ) throws(Failure) -> BeaconID {
        let all = beacons.sorted()
        let found = all.filter { matches($0, name: names[$0]) }
        guard found.count != 1 else { return found[0] }
        guard !found.isEmpty else { throw unknown(among: all, names: names, known: known) }
        throw Failure(
            "\(printable(description)): may be any of these", "name one of them:\n" + Self.list(found, names))
    }

    /// The failure that none of these is meant.
    func unknown(among all: [BeaconID], names: [BeaconID: String], known: String = "heard") -> Failure {
        let text = printable(description)
        guard !all.isEmpty else { return Failure("\(text): no beacon was \(known) at all", nil) }
        return Failure("\(text): was not \(known)", "these were:\n" + Self.list(all, names))
    }

    /// Beacons as they can be named, a line each.
    private static func list(_ beacons: [BeaconID], _ names: [BeaconID: String]) -> String {
        var lines = beacons.prefix(listed).map { id in
            "  \(id.uuid.uppercased)/\(id.major)/\(id.minor)" + (names[id].map { "  \(printable($0))" } ?? "")
        }
        if beacons.count > listed { lines.append("  and \(beacons.count - listed) more") }
        return lines.joined(separator: "\n")
    }

    /// None is meant, or several are.
    package struct Failure: ExplainedError, Hashable {
        package let problem: String
        /// What to do, or which there are; empty where nothing can be said.
        package let remedy: String

        init(_ problem: String, _ remedy: String?) {
            self.problem = problem
            self.remedy = remedy ?? ""
        }
    }
}
