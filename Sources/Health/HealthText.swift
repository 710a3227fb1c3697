import Beacon
package import Text

// The health of beacons in every documented format.
extension JSONText {
    /// `state`, `problems`, and what is known about the beacon: level, interval, battery, and when it was last
    /// received.
    package mutating func health(of health: BeaconHealth) {
        value("state", health.state.rawValue)
        array("problems") { json in
            for problem in health.problems { json.object { $0.listed(problem) } }
        }
        value("level", health.level, digits: 0)
        value("interval_s", health.interval, digits: 3)
        value("battery", health.battery)
        value("last_heard", health.lastHeard.map(HealthText.time))
    }

    /// For messages, in which each problem has its kind once.
    package mutating func problems(of health: BeaconHealth) {
        array("problems") { json in
            for problem in health.problems { json.object { $0.problem(problem) } }
        }
    }

    package mutating func problem(_ problem: HealthProblem) {
        value("kind", problem.kind.rawValue)
        value("since", HealthText.time(problem.since))
        value("evidence", problem.evidence)
    }

    /// The same, with the kind also as `problem`: the name that it has in CSV and in the report.
    package mutating func listed(_ problem: HealthProblem) {
        self.problem(problem)
        value("problem", problem.kind.rawValue)
    }
}

package enum HealthText {
    package static let csvHeading =
        "uuid,major,minor,name,state,problem,since,evidence,level,interval_s,battery,last_heard"

    /// - Parameter seconds: since 1970.
    package static func time(_ seconds: Int64) -> String { Timestamp(seconds: Double(seconds)).rfc3339 }
}

extension BeaconHealth {
    package enum State: String, Sendable {
        case ok
        case problem
        /// It is not yet known what is usual.
        case learning
    }

    package var state: State { !problems.isEmpty ? .problem : isLearned ? .ok : .learning }
}
