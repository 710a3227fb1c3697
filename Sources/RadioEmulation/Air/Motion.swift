/// A position that depends on time: a path through waypoints, and what follows at its end.
package struct Motion: Hashable, Sendable {
    /// A position and the time at which it is reached.
    package struct Waypoint: Hashable, Sendable {
        /// Since the start of the path.
        package var time: Duration
        package var position: Position

        package init(_ time: Duration, _ position: Position) {
            self.time = time
            self.position = position
        }
    }

    /// What follows at the end of the path.
    package enum Repetition: String, Hashable, Sendable, CaseIterable {
        /// The path backwards, then forwards again, and so on.
        case backAndForth = "back_and_forth"
        /// The path from its start again. The position jumps unless the path ends where it starts.
        case fromStart = "from_start"
        /// The last position is kept.
        case stay
    }

    /// In the order of time. Two waypoints with the same position make a pause.
    package let waypoints: [Waypoint]
    /// What follows after `duration`.
    package let repetition: Repetition
    /// The length of one pass. If it is longer than the path, each pass waits at the end of the path.
    package let duration: Duration

    /// - Parameters:
    ///   - waypoints: in any order; without any, the position is the origin.
    ///   - duration: nil for the time of the last waypoint.
    package init(_ waypoints: [Waypoint], repetition: Repetition = .stay, duration: Duration? = nil) {
        self.waypoints = waypoints.sorted { $0.time < $1.time }
        self.repetition = repetition
        self.duration = max(.zero, duration ?? self.waypoints.last?.time ?? .zero)
    }

    /// A fixed position.
    package static func fixed(_ position: Position) -> Motion {
        Motion([Waypoint(.zero, position)])
    }

    package func position(at instant: Duration) -> Position {
        guard waypoints.count > 1 else { return waypoints.first?.position ?? Position(0, 0) }
        return positionOnPath(at: timeOnPath(at: instant))
    }

    private func timeOnPath(at instant: Duration) -> Duration {
        let pass = duration.microseconds
        let elapsed = max(0, instant.microseconds)
        guard pass > 0, elapsed >= pass else { return instant }
        switch repetition {
        case .stay:
            return duration
        case .fromStart:
            return .microseconds(elapsed % pass)
        case .backAndForth:
            let rest = elapsed % pass
            return .microseconds(elapsed / pass % 2 == 0 ? rest : pass - rest)
        }
    }

    private func positionOnPath(at time: Duration) -> Position {
        guard let next = waypoints.firstIndex(where: { $0.time > time }) else {
            return waypoints.last?.position ?? Position(0, 0)
        }
        guard next > 0 else { return waypoints[0].position }
        let (from, to) = (waypoints[next - 1], waypoints[next])
        return from.position.towards(to.position, by: (time - from.time) / (to.time - from.time))
    }
}
