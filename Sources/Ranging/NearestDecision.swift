package import Beacon

/// Why another beacon became the nearest, or why the leading challenger did not.
package struct NearestDecision: Sendable, Hashable {
    /// The reason for a change, or for a refusal.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// There was no nearest beacon, so the strongest one is.
        case first
        /// The nearest exited.
        case gone
        /// It led all others for long enough.
        case ledAll = "led-all"
        /// It led the nearest for long enough, although other challengers compete with it.
        case ledNearest = "led-nearest"
        /// Refused: not stronger than the nearest.
        case behind
        /// Refused: stronger, but by no more than the margin.
        case withinMargin = "within-margin"
        /// Refused: the lead has not lasted long enough.
        case tooShort = "too-short"
        /// Refused: it was not received recently.
        case stale
    }

    /// When it was decided.
    package var time: Timestamp
    /// The nearest before; nil for none.
    package var holder: BeaconID?
    /// The beacon that replaced it, or that was refused; nil if none is left.
    package var challenger: BeaconID?
    /// The reason.
    package var reason: Reason
    /// dB by which the challenger was stronger; 0 if there was nothing to compare.
    package var lead: Double
    /// The lead beyond the margin, summed over time: dB × seconds.
    package var evidence: Double
    /// The evidence that a change needs.
    package var needed: Double
}
