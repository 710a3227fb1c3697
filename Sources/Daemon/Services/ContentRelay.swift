import Beacon
import Synchronization

/// Passes on to the content what ranging wants. The content may be busy with the disk for seconds. Ranging does not
/// wait, and only its newest wish counts.
final class ContentRelay: Sendable {
    private struct State {
        var wanted: BeaconID??
        var heard: [BeaconID]?
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let currentContent: CurrentContentService
    private let state = Mutex(State())

    init(to currentContent: CurrentContentService) {
        self.currentContent = currentContent
    }

    func want(_ beacon: BeaconID?) {
        note { $0.wanted = .some(beacon) }
    }

    func inRange(_ beacons: [BeaconID]) {
        note { $0.heard = beacons }
    }

    /// Suspends until the content has received everything.
    func isHandedOn() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isBusy { state.waiting.append(continuation) }
                return !state.isBusy
            }
            if isIdle { continuation.resume() }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        let isIdle = state.withLock { state in
            change(&state)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isIdle { Task { await handOn() } }
    }

    private func handOn() async {
        while let (wanted, heard) = next() {
            if let wanted { await currentContent.want(wanted) }
            if let heard { await currentContent.inRange(heard) }
        }
    }

    /// Returns nil if nothing is left.
    private func next() -> (wanted: BeaconID??, heard: [BeaconID]?)? {
        let (next, idle) = state.withLock { state -> ((BeaconID??, [BeaconID]?)?, [CheckedContinuation<Void, Never>]) in
            guard state.wanted != nil || state.heard != nil else {
                state.isBusy = false
                defer { state.waiting = [] }
                return (nil, state.waiting)
            }
            defer { (state.wanted, state.heard) = (nil, nil) }
            return ((state.wanted, state.heard), [])
        }
        for continuation in idle { continuation.resume() }
        return next
    }
}
