/// Decides when it seems that another client has the same name. A plain value.
///
/// A broker ends the connection of a client when another one with the same name connects (MQTT 3.1.1, section 3.1.4).
/// Both connect again, so that they end each other's connections without end.
package struct NameClash: Sendable {
    /// Connections in a row that end after a moment.
    static let connections = 3

    private var count = 0

    package init() {}

    /// A connection has ended.
    ///
    /// - Parameters:
    ///   - lasted: seconds since the broker had accepted it; nil if it had not.
    ///   - isLoss: the broker has ended it without a reason.
    /// - Returns: whether that has happened so often that the name is the likely reason.
    package mutating func end(lasted: Double?, isLoss: Bool) -> Bool {
        guard isLoss, let lasted, lasted < ReconnectPause.stableAfter else {
            count = 0
            return false
        }
        count += 1
        return count >= Self.connections
    }
}
