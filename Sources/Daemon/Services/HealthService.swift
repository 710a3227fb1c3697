import Beacon
import Broker
import Events
import FleetFormat
import Health
import Platform
import ServiceLifecycle
import Settings
import YAMLText

/// Learns how beacons are received, and reports what is wrong with them. What it has learned is kept in a file.
final class HealthService: Service {
    /// A source that is listened to.
    typealias Source = (id: SourceID, name: String, isBlind: Bool)

    private struct State {
        var watch: HealthWatch
        var minutes = 0
        /// The reported reason why the file could not be written.
        var problem: String?
    }

    private let settings: HealthSettings
    private let feed: HealthFeed
    private let hub: EventHub
    private let sources: @Sendable () -> [Source]
    /// Publishes this scanner's readings each minute, for a fleet.
    private let publish: @Sendable ([ScannerReadings]) -> Void
    /// The minutes of many beacons and the writing take long, and must not block the cooperative pool.
    private let queue: BlockingQueue<State>

    private static let part = "health"
    /// Minutes between two writes of the file.
    private static let writing = 60

    /// - Parameters:
    ///   - sources: returns the current sources.
    ///   - expected: beacons that should be present.
    init(
        _ settings: HealthSettings, feed: HealthFeed, hub: EventHub, expected: KnownBeacons,
        sources: @escaping @Sendable () -> [Source], publish: @escaping @Sendable ([ScannerReadings]) -> Void
    ) {
        self.settings = settings
        self.feed = feed
        self.hub = hub
        self.sources = sources
        self.publish = publish
        queue = BlockingQueue(
            "beacond.health",
            State(watch: HealthWatch(learning: Double(settings.learningHours) * 60, expected: expected)))
    }

    func run() async throws {
        await queue.run { self.read(&$0) }
        let due = feed.begin()
        await cancelWhenGracefulShutdown {
            for await _ in due { await self.queue.run { self.step(&$0) } }
        }
        await queue.run { self.step(&$0) }
        feed.end()
        await queue.run { self.write(&$0) }
    }

    private func step(_ state: inout State) {
        guard let (batches, time) = feed.take() else { return }
        let sources = sources()
        let changes = state.watch.take(batches: batches, at: time, sources: sources)
        let readings = state.watch.takeReadings()
        // The state comes first, because readers of an event look there.
        if !readings.isEmpty { hub.publish(.known(state.watch.health)) }
        for change in changes { hub.publish(.health(change)) }
        guard !readings.isEmpty else { return }
        publish(readings)
        state.minutes += 1
        if state.minutes % Self.writing == 0 { write(&state) }
    }

    // MARK: - The file

    private func read(_ state: inout State) {
        do {
            let text = try DocumentFile.text(of: settings.file, limit: HealthMemory.mostBytes, mayBeMissing: true)
            guard let text else { return }
            let memory = try HealthMemory(json: Array(text.utf8))
            state.watch.restore(memory)
        } catch {
            tell(&state, "\(settings.file) cannot be read, so everything is learned again: \(error)")
        }
    }

    private func write(_ state: inout State) {
        let text = state.watch.memory.json
        AtomicFile.makeFolder(of: settings.file, permissions: 0o755)
        do {
            try AtomicFile.replace(settings.file, with: text, rights: .permissions(0o644))
            guard state.problem.take() != nil else { return }
            hub.publish(.mended(part: Self.part))
        } catch {
            tell(&state, "what was learned of beacons cannot be written to \(settings.file): \(error)")
        }
    }

    /// Reports each problem once.
    private func tell(_ state: inout State, _ problem: String) {
        guard state.problem != problem else { return }
        state.problem = problem
        hub.publish(.trouble(part: Self.part, problem: problem, retry: Double(Self.writing) * 60))
    }
}
