import Advertising
import Console
import Listening
import Platform
import Radio
import RadioEmulation

/// Plays a scene on adapters or on the emulated air, until it ends or a signal comes.
struct SceneRun: Sendable {
    private let scene: Scene
    private let sources: [String]
    /// Seconds; nil for the whole scene.
    private let duration: Double?

    /// - Parameter sources: hci0 where it is empty.
    init(_ scene: Scene, sources: [String], duration: Double?) {
        self.scene = scene
        self.sources = sources.isEmpty ? [BeaconSettings.defaultSource] : sources
        self.duration = duration
    }

    func onAdapters() async throws {
        let airs = Airs()
        let specs = try sources.map { try SourceSpec($0) }
        guard Set(specs).count == specs.count else {
            throw CommandFailure.usage("an adapter is named twice")
        }
        var stages: [SceneStage] = []
        for spec in specs { stages.append(try await SceneStage(spec, beacons: scene.beacons.count, airs: airs)) }
        try await play(on: stages)
    }

    /// Plays on an air where each connection to `endpoint` gets a controller.
    func onAir(at endpoint: H4Endpoint) async throws {
        let air = EmulatedAir(scenario: Scenario(propagation: Propagation().withoutNoise), start: WallClock.now)
        let server = EmulatedAirServer(air)
        try await server.listen(at: endpoint)
        Program.write("the air is at \(endpoint): try beaconctl range --source \(endpoint)\n")
        do {
            try await play(on: SceneStage.emulated(scene, on: air), hasPlaceForEach: true)
        } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    private func play(on stages: [SceneStage], hasPlaceForEach: Bool = false) async throws {
        let news = ScenePresenter(scene)
        let player = ScenePlayer(scene, on: stages, hasPlaceForEach: hasPlaceForEach) { news.tell($0) }
        defer { news.end() }
        try await UntilStopped.run(for: duration, onSignal: ServiceManager.stopping) { try await player.run() }
    }

    /// - Throws: `badSource`.
    static func endpoint(_ text: String) throws -> H4Endpoint {
        guard case .h4(let endpoint) = try SourceSpec(text).kind else {
            throw CommandFailure.usage("--air is h4:unix:PATH or h4:tcp:127.0.0.1:PORT, not \(text)")
        }
        return endpoint
    }
}
