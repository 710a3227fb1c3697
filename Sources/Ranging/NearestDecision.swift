public import Beacon

/// Why another beacon became the nearest, or why the foremost challenger did not.
public struct NearestDecision: Sendable, Hashable {
    /// What decided.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
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
    public var time: Timestamp
    /// The nearest before; nil for none.
    public var holder: BeaconID?
    /// Who took its place, or wanted to; nil where none is left.
    public var challenger: BeaconID?
    /// What decided.
    public var reason: Reason
    /// dB by which the challenger was stronger; 0 where there was nothing to compare.
    public var lead: Double
    /// What the lead had gathered over time, in dB × seconds beyond the margin.
    public var evidence: Double
    /// How much it needs for the change.
    public var needed: Double
}
