/// A finding about a field of what would be published.
package struct GateFinding: Hashable, Sendable {
    package var document: DocumentID
    /// The path in the document's JSON, as in `FieldMistake`.
    package var field: String
    package var problem: Problem
    /// The rule that is broken; nil if a needed value is missing.
    package var rule: GateRule?
    /// With `refuse`, nothing is published. It is never `ignore`.
    package var level: GateLevel
}
