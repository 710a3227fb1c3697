import Beacon
import HCI
import Listening
import Platform
import Radio
import Synchronization

/// Listens for some time, and counts what is received.
struct ListeningProbe {
    let source: SourceSpec
    let seconds: Double

    func findings() async -> [Finding] {
        let how = Mutex("")
        do {
            let live = try source.makeSource(0)
            let feed = SightingFeed()
            let listening = Task {
                defer { feed.finish() }
                try await live.listen(into: feed, ListeningHandlers(started: { words in how.withLock { $0 = words } }))
            }
            let deadline = Deadline(after: .seconds(seconds)) { listening.cancel() }
            defer { deadline.cancel() }
            var tally = ListeningTally()
            // The scan is stopped even if the caller has been cancelled.
            try await withTaskCancellationHandler {
                while let batch = await feed.nextBatch() {
                    for sighting in batch { tally.add(sighting) }
                }
                try await listening.value
            } onCancel: {
                listening.cancel()
            }
            let name = live.spec.description
            return [Finding("source", .ok, "\(name) listens by \(how.withLock { $0 })")]
                + Self.duplicates(live.tally.interference)
                + [tally.finding(reports: live.tally.counts.reports, seconds: seconds)]
        } catch let error as RadioError {
            return [Finding("listening", .failure, "\(error.place): \(error.problem)", remedy: error.remedy)]
        } catch {
            return [Finding("listening", .failure, "\(error)")]
        }
    }

    /// The changes by other programs to the scan during that time.
    private static func duplicates(_ interference: Interference) -> [Finding] {
        guard interference != Interference() else { return [] }
        let text = [
            (interference.filtered, "switched the duplicate filter on"), (interference.stopped, "stopped the scan"),
            (interference.resets, "reset the controller"),
        ].filter { $0.0 > 0 }.map { "\($0.1) \($0.0) times" }.joined(separator: ", ")
        return [
            Finding(
                "duplicates", .warning, "another program \(text); the scan was taken back each time",
                remedy: "where much is missed: end the other scan (bluetoothctl scan off), or use --source bluez:hci0")
        ]
    }
}
