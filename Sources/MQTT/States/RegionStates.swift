import Ranging

/// Which regions there are, and what is published of them. A plain value.
struct RegionStates: Sendable {
    /// What another state of the regions brings about.
    struct Changes {
        var added: [String] = []
        var gone: [String] = []
        /// Those of which something else is to be published.
        var states: [RegionState] = []
    }

    /// Nil while they are not known.
    private var regions: [RegionState]?
    private var knewAbsence = false
    /// Whether somebody is inside, by name, as it was published.
    private var told: [String: Bool] = [:]

    /// Those that there are; nil while they are not known.
    var names: Set<String>? { regions.map { Set($0.map(\.region.identifier)) } }

    /// - Parameter knowsAbsence: nobody is inside where no beacon is present. Shortly after a start one may not have
    ///   been received yet, and what a former run has published stays.
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
            // One that was entered in this run has been left.
            guard told[name] != state.isInside, state.isInside || knowsAbsence || told[name] != nil else { continue }
            told[name] = state.isInside
            changes.states.append(state)
        }
        return changes
    }
}
