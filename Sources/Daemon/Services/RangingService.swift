import Beacon
import Console
import Listening
import Radio
import Ranging
import ServiceLifecycle

/// From sightings to rankings and events, and from the nearest beacon to the content that is wanted.
struct RangingService: Service {
    let feed: SightingFeed
    let board: HearingBoard
    let settings: RangingSettings
    let interval: Double
    let presenter: any Presenter
    /// Called with the nearest beacon whenever it changes, and once at the start.
    let nearest: @Sendable (BeaconID?) async -> Void
    /// Called with what is heard, the nearest first, whenever its order has changed.
    let inRange: @Sendable ([BeaconID]) async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await rank()
        }
    }

    private func rank() async {
        await nearest(nil)
        var ranger = Ranger(settings: settings)
        var heard: [BeaconID] = []
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(interval))
            guard let batch = feed.takeWaiting(), !Task.isCancelled else { return }
            for sighting in batch { ranger.add(sighting) }
            let (ranking, events) = ranger.tick(at: WallClock.now, isBlind: board.isBlind)
            for event in events {
                presenter.show(.ranging(event))
                if case .nearest(let beacon, _) = event { await nearest(beacon) }
            }
            presenter.show(ranking)
            let present = ranking.beacons.map(\.id)
            if present != heard { await inRange(present) }
            heard = present
        }
    }
}
