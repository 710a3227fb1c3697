package import Beacon

/// Why another beacon became the nearest, or why the foremost challenger did not.
package struct NearestDecision: Sendable, Hashable {
    /// What decided.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// There was no nearest beacon, so the strongest one is.
        case first
        /// The nearest exited.
        case gone
        /// It led all others for long enough.
        case ledAll = "led-all"
        /// It led the nearest for long enough, though others dispute the place.
        case ledNearest = "led-nearest"
        /// Refused: not stronger than the nearest.
        case behind
        /// Refused: stronger, but by no more than the margin.
        case withinMargin = "within-margin"
        /// Refused: the lead has not lasted long enough.
        case tooShort = "too-short"
        /// Refused: it was not heard lately.
        case stale
    }

    /// When it was decided.
    package var time: Timestamp
    /// The nearest before; nil for none.
    package var holder: BeaconID?
    /// Who took its place, or wanted to; nil where none is left.
    package var challenger: BeaconID?
    /// What decided.
    package var reason: Reason
    /// dB by which the challenger was stronger; 0 where there was nothing to compare.
    package var lead: Double
    /// What the lead had gathered over time, in dB × seconds beyond the margin.
    package var evidence: Double
    /// How much it needs for the change.
    package var needed: Double
}
