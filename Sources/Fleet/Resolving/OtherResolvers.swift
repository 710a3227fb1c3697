/// Other resolvers that publish answers for the same beacons. A plain value.
struct OtherResolvers: Sendable {
    /// The maximum number, so that nobody can fill the memory with names.
    private static let most = 100

    private var answering: Set<String> = []
    /// Those that were already there when this one began to answer. They have seen more.
    private var elders: Set<String> = []

    /// Whether no other resolver answers.
    var isEmpty: Bool { answering.isEmpty }

    var hasElders: Bool { !elders.isEmpty }

    mutating func note(_ name: String, isAnswering: Bool) {
        guard isAnswering else {
            answering.remove(name)
            elders.remove(name)
            return
        }
        if answering.count < Self.most { answering.insert(name) }
    }

    /// This resolver answers from now on.
    mutating func join() { elders = answering }
}
