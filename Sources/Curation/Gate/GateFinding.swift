/// What publishing has to say about a field.
package struct GateFinding: Hashable, Sendable {
    package var document: DocumentID
    /// The path in the document's JSON, as in `FieldMistake`.
    package var field: String
    package var problem: Problem
    /// The rule that is broken; nil for what is simply needed.
    package var rule: GateRule?
    /// `refuse`: nothing is published with it. Never `ignore`.
    package var level: GateLevel
}
