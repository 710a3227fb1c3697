/// Whether the health of beacons is watched, and where what was learned is kept.
package struct HealthSettings: Sendable, Hashable {
    /// It is replaced as a whole.
    package var file: String
    /// Hours until something counts as usual.
    package var learningHours: Int

    package init(file: String, learningHours: Int = 24) {
        self.file = file
        self.learningHours = learningHours
    }
}
