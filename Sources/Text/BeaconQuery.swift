package import Beacon

/// The beacon that a user means: `UUID/MAJOR/MINOR`, a sufficient part of it (`UUID`, `UUID/MAJOR`, `MAJOR.MINOR`), or
/// a name. The numbers may be separated by a dot instead of a slash.
package struct BeaconQuery: Hashable, Sendable, CustomStringConvertible {
    /// The query as it was written.
    package let description: String
    /// The same in lower case, as names are compared.
    let word: String
    private let uuid: ProximityUUID?
    private let numbers: [UInt16]

    /// Returns nil for an empty text.
    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        description = argument
        word = argument.lowercased()
        var parts = argument.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." }
        uuid = parts.first.flatMap { ProximityUUID($0) }
        if uuid != nil { parts.removeFirst() }
        let numbers = parts.compactMap { UInt16($0) }
        self.numbers = numbers.count == parts.count && (uuid != nil || parts.count == 2) ? numbers : []
        // A UUID with other text after it is not a UUID.
        isIdentity = uuid != nil ? numbers.count == parts.count && parts.count <= 2 : !self.numbers.isEmpty
    }

    /// Whether the query is an identity or a part of one. Otherwise it can only be a name.
    package let isIdentity: Bool

    /// The number above 65535 in a text that would otherwise be an identity or a part of one; nil for any other text.
    package static func excessiveNumber(in text: String) -> String? {
        var parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." }
        let hasUUID = parts.first.flatMap { ProximityUUID($0) } != nil
        if hasUUID { parts.removeFirst() }
        let isNumeric = parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) } }
        guard isNumeric, parts.count == 2 || (hasUUID && parts.count == 1) else { return nil }
        return parts.first { UInt16($0) == nil }.map { String($0) }
    }

    /// The failure for such a number; nil if there is none.
    var excess: Failure? {
        Self.excessiveNumber(in: description).map {
            Failure("\(printable(description)): \($0) is no number from 0 to 65535", nil, isWrongUsage: true)
        }
    }

    /// How many candidates a message lists.
    static let listed = 20

    /// Whether the query matches the beacon with this identity and this name.
    package func matches(_ id: BeaconID, name: String?) -> Bool {
        isIdentity(of: id) || name?.lowercased() == word
    }

    /// Whether the query is this identity or a part of it.
    func isIdentity(of id: BeaconID) -> Bool {
        guard isIdentity else { return false }
        let own = [id.major, id.minor]
        return (uuid == nil || uuid == id.uuid) && numbers.elementsEqual(own.prefix(numbers.count))
    }

    /// The only known beacon that matches.
    ///
    /// - Parameter known: how the beacons are known, as in "was not heard".
    /// - Throws: a failure that lists the candidates if there is none or more than one.
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

    /// The failure for a query that matches none of these.
    func unknown(among all: [BeaconID], names: [BeaconID: String], known: String = "heard") -> Failure {
        if let excess { return excess }
        let text = printable(description)
        guard !all.isEmpty else { return Failure("\(text): no beacon was \(known) at all", nil) }
        return Failure("\(text): was not \(known)", "these were:\n" + Self.list(all, names))
    }

    /// Beacons in the form in which a user can write them, one on each line.
    private static func list(_ beacons: [BeaconID], _ names: [BeaconID: String]) -> String {
        var lines = beacons.prefix(listed).map { id in
            "  \(id.uuid.uppercased)/\(id.major)/\(id.minor)" + (names[id].map { "  \(printable($0))" } ?? "")
        }
        if beacons.count > listed { lines.append("  and \(beacons.count - listed) more") }
        return lines.joined(separator: "\n")
    }

    /// No beacon matches, or several do.
    package struct Failure: UsageError, Hashable {
        package let problem: String
        /// What to do, or the candidates; empty if there is nothing to say.
        package let remedy: String
        /// No beacon can ever have such an identity.
        package let isWrongUsage: Bool

        init(_ problem: String, _ remedy: String?, isWrongUsage: Bool = false) {
            self.isWrongUsage = isWrongUsage
            self.problem = problem
            self.remedy = remedy ?? ""
        }
    }
}
