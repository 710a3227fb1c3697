/// Why the broker cannot be used, and what to do.
package struct BrokerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
