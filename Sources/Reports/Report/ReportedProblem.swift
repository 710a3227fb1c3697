package import Beacon
package import Health

/// What was wrong with a beacon, and for how long.
package struct ReportedProblem: Sendable, Hashable {
    package var beacon: BeaconID
    /// Nil where the beacon has no name.
    package var name: String?
    package var problem: HealthProblem
    /// Up to when it is known to have lasted; not before it began.
    package var last: Timestamp
    /// Whether it lasted until the end of the report.
    package var isLasting = false

    /// - Parameter last: up to when it is known to have lasted.
    package init(beacon: BeaconID, problem: HealthProblem, last: Timestamp) {
        self.beacon = beacon
        self.problem = problem
        self.last = max(last, Timestamp(seconds: Double(problem.since)))
    }

    /// When it began, as far as is known. It may be before the report.
    package var since: Timestamp { Timestamp(seconds: Double(problem.since)) }

    /// For how long it is known to have lasted.
    package var seconds: Double { last.elapsed(since: since) }

    /// Problems in a report at most.
    package static let most = 1000
    /// Seconds after which what lasts is written again, and some more for the writing.
    private static let writing = 150.0

    /// The problems that are in a report's span, the newest first.
    ///
    /// - Parameter problems: in any order. The same may be there several times, each with another end.
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
    /// What is wrong with beacons now.
    package func problems(at now: Timestamp) -> [ReportedProblem] {
        flatMap { health in
            health.problems.map { ReportedProblem(beacon: health.beacon, problem: $0, last: now) }
        }
    }
}
