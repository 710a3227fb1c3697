/// How often a site without a list is asked for manifests by their paths. Pure.
///
/// Anybody can send any number of beacons, and each would cost such a site up to three requests. So a few are requested
/// at once, and then one a second.
package struct RequestBudget: Sendable {
    package static let burst = 64.0
    package static let perSecond = 1.0

    private var left = burst
    private var last = Duration.zero

    package init() {}

    /// Takes one request.
    ///
    /// - Parameter reserve: how many are left for more urgent requests.
    /// - Returns: how long to wait before trying again; nil if the request was taken.
    package mutating func take(at now: Duration, leaving reserve: Double = 0) -> Duration? {
        let passed = max(now - last, .zero)
        last = max(now, last)
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
        left = min(Self.burst, left + seconds * Self.perSecond)
        guard left >= reserve + 1 else { return .seconds((reserve + 1 - left) / Self.perSecond + 0.001) }
        left -= 1
        return nil
    }
}
