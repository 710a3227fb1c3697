import Beacon
import Synchronization

/// Gives access to the content service while there is one. The wanted beacon is kept for the next service.
final class CurrentContentService: Sendable {
    private struct State {
        var service: ContentService?
        var wanted: BeaconID?
        var heard: [BeaconID] = []
    }

    private let state = Mutex(State())

    /// Nil if no site is configured.
    var service: ContentService? { state.withLock { $0.service } }

    func want(_ beacon: BeaconID?) async {
        let service = state.withLock { state in
            state.wanted = beacon
            return state.service
        }
        await service?.want(beacon)
    }

    func inRange(_ beacons: [BeaconID]) async {
        let service = state.withLock { state in
            state.heard = beacons
            return state.service
        }
        await service?.inRange(beacons)
    }

    /// Sets the service, and passes it what is wanted.
    func begin(_ service: ContentService) async {
        state.withLock { $0.service = service }
        var told: (wanted: BeaconID?, heard: [BeaconID])
        repeat {
            told = state.withLock { ($0.wanted, $0.heard) }
            await service.want(told.wanted)
            await service.inRange(told.heard)
            // What arrived in the meantime may have reached the service before this.
        } while state.withLock({ $0.wanted != told.wanted || $0.heard != told.heard })
    }

    func end(_ service: ContentService) {
        state.withLock { state in
            if state.service === service { state.service = nil }
        }
    }
}
