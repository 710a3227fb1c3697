import Foundation

/// For how long a test waits for what other programs and threads do: longer than a busy machine keeps one of them from
/// running, since only what never comes is a fault.
package let longestWait = Duration.seconds(120)

/// Asks again and again whether something is so: for what gives no sign of itself, as other programs do.
///
/// That time runs out is an error. What gives a sign (a clock of the test's own, a stream, a task) is awaited instead.
///
/// - Parameter state: what is to be told with the error.
package func waitUntil(
    _ what: String, within limit: Duration = longestWait, state: @autoclosure () -> String = "",
    _ condition: () async throws -> Bool
) async throws {
    _ = try await eventually(what, within: limit, state: state()) { try await condition() ? true : nil }
}

/// Asks again and again for something that is there sooner or later, and returns it. That time runs out is an error.
package func eventually<Result>(
    _ what: String, within limit: Duration = longestWait, state: @autoclosure () -> String = "",
    _ find: () async throws -> Result?
) async throws -> Result {
    var time = PollLimit(limit)
    while true {
        if let result = try await find() { return result }
        guard !time.isOver() else {
            throw RunningProgram.Failure(description: "waited \(limit) until \(what) \(state())")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// For how long something is asked again and again.
///
/// Time in which this test got no turn does not count: where other tests hold the shared threads, few tries were made.
struct PollLimit {
    private static let fewestTries = 100

    private let deadline: ContinuousClock.Instant
    private var tries = 0

    init(_ limit: Duration) {
        deadline = .now + limit
    }

    /// To be asked once after each try.
    mutating func isOver() -> Bool {
        tries += 1
        return tries >= Self.fewestTries && ContinuousClock.now >= deadline
    }
}

/// Blocks this thread until something is so: for the ends of objects, which cannot suspend.
///
/// - Returns: whether it was so in time.
func blockUntil(within limit: Duration, _ condition: () throws -> Bool) rethrows -> Bool {
    var time = PollLimit(limit)
    while try !condition() {
        guard !time.isOver() else { return false }
        usleep(5000)
    }
    return true
}

/// Gives tasks that are ready their turn, most likely. Where one gets none, the test that calls this sees less, and is
/// not wrong.
package func letOthersRun() async {
    for _ in 0..<100 { await Task.yield() }
}
