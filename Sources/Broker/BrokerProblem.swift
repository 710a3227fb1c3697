/// Why the broker cannot be used, and what to do.
package struct BrokerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// The broker sends something that is too large, and would do so again.
    package var isExcess = false

    package init(_ description: String) {
        self.description = description
    }
}
