package import HCI

/// What a session has had to do about its controller, and what that refused. For metrics.
package struct ControllerTrouble: Hashable, Sendable {
    /// Steps by the silence or interference that asked for them, the harsher the later.
    package enum Stage: String, Sendable, CaseIterable {
        /// It was asked something harmless.
        case ask
        /// Its scan or advertisement was started again.
        case restart
        /// It was reset.
        case reset
        /// The connection was given up for a fresh one.
        case reopen
    }

    package var steps: [Stage: Int] = [:]
    /// Commands that were answered with an error. Some belong to finding out what it can do.
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
