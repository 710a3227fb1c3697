/// Why the broker cannot be used, and what to do.
package struct BrokerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// The broker sends a message that is too large, and would send it again.
    package var isExcess = false
    /// The broker has ended the connection without a reason.
    package var isLoss = false

    package init(_ description: String) {
        self.description = description
    }
}
