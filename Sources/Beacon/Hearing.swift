/// Whether a scanner's silence means that no beacon is there.
package enum Hearing: Hashable, Sendable {
    /// Reports arrive, or the controller answers and no beacon may be sending.
    case ok
    /// Nothing was received for a while, and the controller has not yet answered a test command.
    case inDoubt
    /// The scanner cannot receive: its silence means nothing.
    case blind
}
