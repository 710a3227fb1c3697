// What is learned of the beacons' health.
extension Setting {
    static let health: [Setting] = [
        Setting(
            "health.enabled", .flag(\.isHealthWatched), .restarts(["health"]),
            "learn how each beacon is usually received, and report which are missing, weak, slow, moved or "
                + "copied ([health](health.md))"),
        Setting(
            "health.learning_hours", .count(1...720, \.health.learningHours), .restarts(["health"]),
            "hours for which a beacon is received before anything counts as usual"),
    ]
}
