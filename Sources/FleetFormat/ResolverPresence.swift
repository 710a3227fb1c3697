/// A resolver's retained state: `answering`, `learning` or `offline`. If it works on a part of the beacons, the part
/// follows: `answering 2/3`.
package struct ResolverPresence: Hashable, Sendable {
    package enum State: String, Sendable {
        /// It publishes answers.
        case answering
        /// It was started beside another one that publishes, and does not publish yet.
        case learning
        case offline
    }

    package var state: State
    /// Nil for all beacons.
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
        // A second word that is not a part is invalid.
        if case .some(.none) = shard { return nil }
        self.init(state, of: shard ?? nil)
    }

    package var text: String { ([state.rawValue] + [shard?.description].compactMap { $0 }).joined(separator: " ") }
}
