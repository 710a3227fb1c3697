/// What a resolver retains of itself: `answering`, `learning` or `offline`; of a part of the beacons also which:
/// `answering 2/3`.
package struct ResolverPresence: Hashable, Sendable {
    package enum State: String, Sendable {
        /// It publishes.
        case answering
        /// It was started beside another one that does, and does not publish yet.
        case learning
        case offline
    }

    package var state: State
    /// Nil: all beacons.
    package var shard: FleetShard?

    package init(_ state: State, of shard: FleetShard? = nil) {
        self.state = state
        self.shard = shard
    }

    /// - Returns: nil for anything else.
    package init?(_ payload: [UInt8]) {
        let words = String(decoding: payload.prefix(32), as: UTF8.self).split(separator: " ")
        guard let state = words.first.flatMap({ State(rawValue: String($0)) }), words.count <= 2 else { return nil }
        let shard = words.dropFirst().first.map { FleetShard(String($0)) }
        // A second word that is no part is none of ours.
        if case .some(.none) = shard { return nil }
        self.init(state, of: shard ?? nil)
    }

    package var text: String { ([state.rawValue] + [shard?.description].compactMap { $0 }).joined(separator: " ") }
}
