import HCI
import Radio
import Synchronization
import Text

/// Plays a scene on controllers until it ends or the task is cancelled. Then all of them stop advertising.
package final class ScenePlayer: Sendable {
    /// What happens during the play.
    package enum Event: Sendable {
        /// All controllers are ready. `places` is the number of beacons that can be on the air at a time.
        case started(places: Int)
        case progress(Progress)
        /// A part of the scene is not possible.
        case limitation(String)
    }

    /// The progress of the scene.
    package struct Progress: Hashable, Sendable {
        /// Since the start, over all passes.
        package var elapsed: Duration
        /// The number of beacons on the air, and of beacons that wait for a place.
        package var onAir: Int
        package var waiting: Int
        /// The names of the beacons on the air, in the order of the scene.
        package var names: [String]
        /// The number of changes so far.
        package var changes: Int
    }

    private struct Place: Sendable {
        var advertiser: Advertiser
        var number: Int
        var stage: String
    }

    private let scene: Scene
    private let stages: [SceneStage]
    private let hasPlaceForEach: Bool
    private let tell: @Sendable (Event) -> Void

    /// The resolution of the script's times.
    static let tick = Duration.milliseconds(100)

    /// - Parameters:
    ///   - hasPlaceForEach: there is one stage per beacon, in the same order (`SceneStage.emulated`).
    package init(
        _ scene: Scene, on stages: [SceneStage], hasPlaceForEach: Bool = false,
        tell: @escaping @Sendable (Event) -> Void
    ) {
        self.scene = scene
        self.stages = stages
        self.hasPlaceForEach = hasPlaceForEach
        self.tell = tell
    }

    /// - Throws: if a controller cannot be reached, refuses to advertise at all, does not answer, or goes away.
    package func run() async throws {
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let advertisers = stages.map { stage in
            Advertiser(transport: stage.transport, name: stage.name, broadcast: nil, sets: stage.sets)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for (stage, advertiser) in zip(stages, advertisers) {
                group.addTask { [self] in
                    try await advertiser.run { family in
                        stage.claim?.releaseLeftovers()
                        if family == .legacy { tellLimits(of: stage) }
                        started.yield()
                    }
                }
            }
            group.addTask { [self] in
                var missing = stages.count
                for await _ in starts {
                    missing -= 1
                    if missing == 0 { break }
                }
                guard !Task.isCancelled else { return }
                try await play(on: places(advertisers))
            }
            do {
                // The scene has ended, or a controller has gone away.
                try await group.next()
            } catch is CancellationError {}
        }
    }

    private func places(_ advertisers: [Advertiser]) -> [Place] {
        zip(stages, advertisers).flatMap { stage, advertiser in
            (0..<(hasPlaceForEach ? 1 : advertiser.capacity)).map {
                Place(advertiser: advertiser, number: $0, stage: stage.name)
            }
        }
    }

    private func tellLimits(of stage: SceneStage) {
        let changesPower = scene.beacons.contains { beacon in
            beacon.transmitPower != nil
                || beacon.script.contains {
                    switch $0.kind {
                    case .power, .walkPast: true
                    default: false
                    }
                }
        }
        guard changesPower else { return }
        tell(
            .limitation("\(stage.name) takes legacy commands, which have no transmit power: it stays as it is"))
    }

    // MARK: - Playing

    /// The places on the air, and what they show.
    private struct Cast {
        var places: [Place]
        var shown: ShownBroadcasts
        var turns: SceneTurns
        var changes = 0
        var complaints: Set<String> = []

        mutating func remove(place index: Int) {
            places.remove(at: index)
            shown.remove(place: index)
            turns.remove(place: index)
        }
    }

    private func play(on places: [Place]) async throws {
        tell(.started(places: places.count))
        var cast = Cast(
            places: places, shown: ShownBroadcasts(places: places.count),
            turns: SceneTurns(places: places.count, turn: scene.turn))
        let begin = ContinuousClock.now
        var nextProgress = Duration.zero
        while true {
            let elapsed = begin.duration(to: .now)
            guard scene.isRepeated || elapsed < scene.duration else { return }
            let time = scene.isRepeated ? elapsed % scene.duration : elapsed
            let wanted = scene.beacons.enumerated().map { $0.element.broadcast(at: time, number: $0.offset) }
            let present = wanted.indices.filter { wanted[$0] != nil }
            let beacons = hasPlaceForEach ? wanted.indices.map { $0 } : cast.turns.update(present, at: elapsed)
            let full = try await show(beacons.map { $0.flatMap { wanted[$0] } }, by: &cast, at: elapsed)
            if elapsed >= nextProgress {
                nextProgress = elapsed + .seconds(1)
                let onAir = beacons.indices.filter { cast.shown.isShowing($0) }.compactMap { beacons[$0] }.sorted()
                tell(
                    .progress(
                        Progress(
                            elapsed: elapsed, onAir: onAir.count, waiting: present.count - onAir.count,
                            names: onAir.map { scene.beacons[$0].name }, changes: cast.changes)))
            }
            // Another program uses sets on these controllers too. The beacon waits for another place.
            for index in full.reversed() where cast.places.count > 1 && !hasPlaceForEach { cast.remove(place: index) }
            try await Task.sleep(for: Self.tick)
        }
    }

    /// Changes what the places show, if it differs from before. Each refusal is reported once.
    ///
    /// - Returns: the places for which the controllers have no room, in order.
    private func show(_ broadcasts: [Broadcast?], by cast: inout Cast, at elapsed: Duration) async throws -> [Int] {
        var full: [Int] = []
        for index in cast.shown.due(broadcasts, at: elapsed) {
            guard let refusal = try await Self.show(broadcasts[index], on: cast.places[index]) else {
                cast.shown.shows(broadcasts[index], at: index)
                cast.changes += 1
                continue
            }
            cast.shown.refused(at: index, now: elapsed)
            if cast.complaints.insert(refusal.description).inserted { tell(.limitation(refusal.description)) }
            if refusal.status == .memoryCapacityExceeded || refusal.status == .limitReached { full.append(index) }
        }
        return full
    }
}

extension ScenePlayer {
    /// Returns an error of the controller that does not stop the scene.
    private static func show(_ broadcast: Broadcast?, on place: Place) async throws(RadioError) -> RadioError? {
        do throws(RadioError) {
            try await place.advertiser.show(broadcast, on: place.number)
            return nil
        } catch {
            guard error.code == .refused else { throw error }
            return error
        }
    }
}

private func % (left: Duration, right: Duration) -> Duration {
    let passes = (left / right).rounded(.down)
    return max(.zero, left - right * passes)
}
