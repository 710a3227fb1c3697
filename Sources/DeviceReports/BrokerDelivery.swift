import Beacon

/// Hands the reports of a queue to the connection to a broker, one at a time, until the broker has each of them.
///
/// Pure: what the broker has, and the seconds of a clock, come in.
package struct BrokerDelivery: Sendable {
    /// What has happened, and what to do.
    package struct Step: Hashable, Sendable {
        /// The broker has taken a report.
        package var hasArrived = false
        /// To be published now, in place of what was under way.
        package var report: DeviceReport?
        /// What is under way is not wanted any more.
        package var isWithdrawn = false
        /// The broker has taken nothing for long.
        package var isLate = false

        package init() {}
    }

    /// The start of the report under way, and its number once it has one.
    private var underWay: (start: Timestamp, number: UInt64?)?
    /// Since when the broker is waited for.
    private var since: Double?

    /// Seconds that an acknowledgement may take.
    static let timeout = 15.0

    package init() {}

    /// - Parameters:
    ///   - arrived: the number of the last report that the broker has.
    ///   - now: in seconds, by a clock that is never set.
    package mutating func step(_ queue: inout ReportQueue, arrived: UInt64, at now: Double) -> Step {
        var step = Step()
        if let current = underWay {
            let isFirst = queue.first?.start == current.start
            if current.number == arrived {
                // It may have been too old meanwhile.
                if isFirst { queue.removeFirst() }
                step.hasArrived = true
                (underWay, since) = (nil, nil)
            } else if !isFirst {
                step.isWithdrawn = true
                underWay = nil
            }
        }
        guard let first = queue.first else {
            since = nil
            return step
        }
        if underWay == nil {
            // From now on it may be at the broker, whatever is known of it.
            queue.tryFirst()
            underWay = (first.start, nil)
            since = since ?? now
            step.report = first
        }
        step.isLate = now - (since ?? now) > Self.timeout
        return step
    }

    /// The report of the last step has this number.
    package mutating func isUnderWay(_ number: UInt64) { underWay?.number = number }
}
