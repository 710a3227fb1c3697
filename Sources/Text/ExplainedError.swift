/// An error that people read: where, what is wrong, and what they can do. A terminal gets `description`, HTTP gets the
/// parts (`Refusal`).
package protocol ExplainedError: Error, CustomStringConvertible {
    /// A file, an adapter, a host, a setting; empty where the problem names it.
    var place: String { get }
    /// What is wrong there, as a clause.
    var problem: String { get }
    /// What the reader can do; empty if unknown.
    var remedy: String { get }
}

/// An error that may be the user's own: something was written that nothing can have.
package protocol UsageError: ExplainedError {
    var isWrongUsage: Bool { get }
}

extension ExplainedError {
    package var place: String { "" }
    package var remedy: String { "" }

    /// `PLACE: PROBLEM`, without the remedy.
    package var placedProblem: String { place.isEmpty ? problem : "\(place): \(problem)" }

    /// `PLACE: PROBLEM; REMEDY`, without the parts that are empty.
    package var explanation: String { remedy.isEmpty ? placedProblem : "\(placedProblem); \(remedy)" }

    package var description: String { explanation }
}
