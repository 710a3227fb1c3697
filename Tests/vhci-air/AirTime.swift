import Beacon

/// The time of an air, whatever happens to the time of day.
struct AirTime: Sendable {
    private let start: Timestamp
    private let began = ContinuousClock.now

    /// - Parameter start: the air's own start, which is now.
    init(start: Timestamp) {
        self.start = start
    }

    /// How long ago a packet was on the air.
    func age(of time: Timestamp) -> Duration {
        began.duration(to: .now) - .microseconds(time.microseconds - start.microseconds)
    }
}
