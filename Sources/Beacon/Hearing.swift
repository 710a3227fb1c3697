/// Whether a scanner can be believed when it says that nothing is there.
package enum Hearing: Hashable, Sendable {
    /// Reports arrive, or the controller answers and the air may well be quiet.
    case ok
    /// Nothing was heard for a while, and the controller has not answered yet whether it lives.
    case inDoubt
    /// Something is wrong: silence means nothing now.
    case blind
}
