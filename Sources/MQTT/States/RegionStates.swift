import Ranging

/// The current regions, and what is published about them. A plain value.
struct RegionStates: Sendable {
    /// The effects of a new state of the regions.
    struct Changes {
        var added: [String] = []
        var gone: [String] = []
        /// The regions whose published state changes.
        var states: [RegionState] = []
    }

    /// Nil while the regions are unknown.
    private var regions: [RegionState]?
    private var knewAbsence = false
    /// Whether a beacon is inside, by the region's name, as it was published.
    private var told: [String: Bool] = [:]

    /// The names of the regions; nil while they are unknown.
    var names: Set<String>? { regions.map { Set($0.map(\.region.identifier)) } }

    /// - Parameter knowsAbsence: a region without a present beacon is empty. Shortly after a start, a beacon may not
    ///   have been received yet. Until then, what a previous run has published stays.
    mutating func update(_ new: [RegionState], knowsAbsence: Bool) -> Changes {
        var changes = Changes()
        guard regions != new || knewAbsence != knowsAbsence else { return changes }
        let before = names ?? []
        (regions, knewAbsence) = (new, knowsAbsence)
        let now = names ?? []
        changes.added = now.subtracting(before).sorted()
        changes.gone = before.subtracting(now).sorted()
        for name in changes.gone { told[name] = nil }
        for state in new {
            let name = state.region.identifier
            // A region whose state was published in this run can also have been left.
            guard told[name] != state.isInside, state.isInside || knowsAbsence || told[name] != nil else { continue }
            told[name] = state.isInside
            changes.states.append(state)
        }
        return changes
    }
}
