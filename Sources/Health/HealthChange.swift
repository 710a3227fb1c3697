package import Beacon

/// A problem of a beacon has begun or ended.
package struct HealthChange: Hashable, Sendable {
    package var beacon: BeaconID
    package var problem: HealthProblem
    package var isOver: Bool

    package init(beacon: BeaconID, problem: HealthProblem, isOver: Bool) {
        self.beacon = beacon
        self.problem = problem
        self.isOver = isOver
    }
}
