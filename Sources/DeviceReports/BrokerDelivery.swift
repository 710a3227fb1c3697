import Beacon

/// Passes the reports of a queue to the connection to a broker, one at a time, until the broker has acknowledged each.
///
/// Pure: the inputs are the broker's acknowledgements and the seconds of a clock.
package struct BrokerDelivery: Sendable {
    /// What has happened, and what the caller has to do.
    package struct Step: Hashable, Sendable {
        /// The broker has acknowledged a report.
        package var hasArrived = false
        /// A report to be published now. It replaces the one that was being sent.
        package var report: DeviceReport?
        /// The report that is being sent is no longer wanted.
        package var isWithdrawn = false
        /// The broker has acknowledged nothing for too long.
        package var isLate = false

        package init() {}
    }

    /// The start of the report that is being sent, and its number once it has one.
    private var underWay: (start: Timestamp, number: UInt64?)?
    /// The time since when an acknowledgement is awaited, in seconds.
    private var since: Double?

    /// The most seconds that an acknowledgement may take.
    static let timeout = 15.0

    package init() {}

    /// - Parameters:
    ///   - arrived: the number of the last report that the broker has acknowledged.
    ///   - now: in seconds, by a monotonic clock.
    package mutating func step(_ queue: inout ReportQueue, arrived: UInt64, at now: Double) -> Step {
        var step = Step()
        if let current = underWay {
            let isFirst = queue.first?.start == current.start
            if current.number == arrived {
                // The queue may have removed it meanwhile, because it was too old.
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
            // From now on the report may have reached the broker, even without an acknowledgement.
            queue.tryFirst()
            underWay = (first.start, nil)
            since = since ?? now
            step.report = first
        }
        step.isLate = now - (since ?? now) > Self.timeout
        return step
    }

    /// Sets the number of the last step's report.
    package mutating func isUnderWay(_ number: UInt64) { underWay?.number = number }
}
