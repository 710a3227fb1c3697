/// Other resolvers that publish answers of the same beacons. A plain value.
struct OtherResolvers: Sendable {
    /// Nobody can fill the memory with names.
    private static let most = 100

    private var answering: Set<String> = []
    /// Those that were there already when this one began to answer: they have seen more than it.
    private var elders: Set<String> = []

    /// Whether nobody else answers.
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

    /// This one answers from now on.
    mutating func join() { elders = answering }
}
