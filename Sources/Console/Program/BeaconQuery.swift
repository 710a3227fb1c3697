public import ArgumentParser
public import Beacon

/// Which beacon a user means: `UUID/MAJOR/MINOR`, a part of it that is enough (`UUID`, `UUID/MAJOR`, `MAJOR.MINOR`), or
/// a name.
public struct BeaconQuery: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    public let description: String
    private let uuid: ProximityUUID?
    private let numbers: [UInt16]

    /// Nil for no text at all.
    public init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        description = argument
        var parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        uuid = parts.first.flatMap { ProximityUUID($0) }
        if uuid != nil { parts.removeFirst() }
        if uuid == nil, parts.count == 1 { parts = argument.split(separator: ".", omittingEmptySubsequences: false) }
        let numbers = parts.compactMap { UInt16($0) }
        self.numbers = numbers.count == parts.count && (uuid != nil || parts.count == 2) ? numbers : []
        // A UUID with something else behind it is no UUID.
        isIdentity = uuid != nil ? numbers.count == parts.count && parts.count <= 2 : !self.numbers.isEmpty
    }

    private let isIdentity: Bool

    /// Whether this beacon, by this name, is meant.
    public func matches(_ id: BeaconID, name: String?) -> Bool {
        if let name, name.lowercased() == description.lowercased() { return true }
        guard isIdentity else { return false }
        let own = [id.major, id.minor]
        return (uuid == nil || uuid == id.uuid) && numbers.elementsEqual(own.prefix(numbers.count))
    }

    /// The one that is meant among those that were heard. Throws a failure that says which there are.
    public func only(
        among heard: some Sequence<BeaconID>, names: [BeaconID: String]
    ) throws(ProgramExit) -> BeaconID {
        let all = heard.sorted()
        let found = all.filter { matches($0, name: names[$0]) }
        guard found.count != 1 else { return found[0] }
        let listed = (found.isEmpty ? all : found).prefix(20).map { id in
            "  \(id)" + (names[id].map { "  \(printable($0))" } ?? "")
        }
        guard !listed.isEmpty else { throw ProgramExit(1, "\(description): no beacon was heard at all") }
        throw ProgramExit(
            1, (found.isEmpty ? "\(description): was not heard; these were:\n" : "\(description): may be any of these:\n")
                + listed.joined(separator: "\n"))
    }
}
