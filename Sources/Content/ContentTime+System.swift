import Platform

extension ContentTime {
    /// The system's clocks.
    package static var system: ContentTime { ContentTime(clock: ContinuousClock()) { WallClock.now } }
}
