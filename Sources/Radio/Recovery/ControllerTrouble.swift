package import HCI

/// The recovery steps that a session took with its controller, and the commands that failed. For metrics.
package struct ControllerTrouble: Hashable, Sendable {
    /// Recovery steps after silence or interference, from the mildest to the strongest.
    package enum Stage: String, Sendable, CaseIterable {
        /// A harmless command was sent, to see whether the controller answers.
        case ask
        /// Its scan or advertisement was started again.
        case restart
        /// It was reset.
        case reset
        /// The connection was closed and opened again.
        case reopen
    }

    package var steps: [Stage: Int] = [:]
    /// Commands that were answered with an error. Some of them only probe what the controller supports.
    package var refused: [ErrorCode: Int] = [:]
    /// Commands that were not answered.
    package var unanswered = 0

    package init() {}

    package static func += (left: inout Self, right: Self) {
        left.steps.merge(right.steps, uniquingKeysWith: +)
        left.refused.merge(right.refused, uniquingKeysWith: +)
        left.unanswered += right.unanswered
    }
}
