package import Beacon
package import Health

/// A problem of a beacon, and how long it lasted.
package struct ReportedProblem: Sendable, Hashable {
    package var beacon: BeaconID
    /// Nil if the beacon has no name.
    package var name: String?
    package var problem: HealthProblem
    /// The last time at which the problem is known to have existed; not before it began.
    package var last: Timestamp
    /// Whether it lasted until the end of the report.
    package var isLasting = false

    /// - Parameter last: the last time at which the problem is known to have existed.
    package init(beacon: BeaconID, problem: HealthProblem, last: Timestamp) {
        self.beacon = beacon
        self.problem = problem
        self.last = max(last, Timestamp(seconds: Double(problem.since)))
    }

    /// When the problem began, as far as is known. It may be before the report.
    package var since: Timestamp { Timestamp(seconds: Double(problem.since)) }

    /// The time in seconds for which the problem is known to have lasted.
    package var seconds: Double { last.elapsed(since: since) }

    /// The maximum number of problems in a report.
    package static let most = 1000
    /// Seconds after which a lasting problem is written again, plus some time for the writing.
    private static let writing = 150.0

    /// The problems in a report's span, the newest first.
    ///
    /// - Parameter problems: in any order. The same problem may occur several times, each time with another end.
    static func of(
        _ span: ClosedRange<Timestamp>, _ problems: [ReportedProblem], names: (BeaconID) -> String?
    ) -> [ReportedProblem] {
        struct Identity: Hashable {
            var beacon: BeaconID
            var kind: HealthProblem.Kind
            var since: Int64
        }
        var found: [Identity: ReportedProblem] = [:]
        for problem in problems where problem.last >= span.lowerBound && problem.since <= span.upperBound {
            let identity = Identity(beacon: problem.beacon, kind: problem.problem.kind, since: problem.problem.since)
            guard found[identity].map({ $0.last < problem.last }) ?? true else { continue }
            found[identity] = problem
        }
        return found.values.map { problem in
            var problem = problem
            problem.isLasting = span.upperBound.elapsed(since: problem.last) <= writing
            problem.last = min(problem.last, span.upperBound)
            problem.name = names(problem.beacon)
            return problem
        }.sorted { one, other in
            one.since != other.since
                ? one.since > other.since : (one.beacon, one.problem.kind) < (other.beacon, other.problem.kind)
        }.prefix(most).map(\.self)
    }
}

extension Sequence<BeaconHealth> {
    /// The current problems of the beacons.
    package func problems(at now: Timestamp) -> [ReportedProblem] {
        flatMap { health in
            health.problems.map { ReportedProblem(beacon: health.beacon, problem: $0, last: now) }
        }
    }
}
