package import Beacon
import BlueZ
import HCI
import Radio
import Synchronization

/// Listens through bluetoothd, with one of its adapters.
package final class BluetoothdSource: SightingSource {
    package let spec: SourceSpec
    private let adapter: UInt16
    private let source: SourceID
    private let options: ListeningOptions
    private let state: Mutex<State>

    private struct State {
        var earlier = SourceTally()
        var listener: BluezListener?
        var listedBy: String?
    }

    /// - Parameters:
    ///   - adapter: its number, as in `hci0`.
    ///   - source: goes into every sighting.
    package init(
        _ spec: SourceSpec, adapter: UInt16, source: SourceID, options: ListeningOptions = ListeningOptions()
    ) {
        self.spec = spec
        self.adapter = adapter
        self.source = source
        self.options = options
        state = Mutex(State(listedBy: options.listedBy))
    }

    package var tally: SourceTally {
        let (earlier, listener) = state.withLock { ($0.earlier, $0.listener) }
        var tally = earlier
        if let listener { tally.counts += listener.counts }
        return tally
    }

    package var listedBy: String? { state.withLock { $0.listener?.listedBy ?? $0.listedBy } }

    package func listen(into feed: SightingFeed, _ handlers: ListeningHandlers) async throws {
        guard options.recorder == nil else {
            throw RadioError(
                .badSource, at: "source \"\(spec)\"", "bluetoothd shows no packets that could be recorded",
                remedy: "leave --capture out, or listen on the adapter itself (hci\(adapter))")
        }
        let hearingChanged = handlers.hearingChanged
        let listener = BluezListener(
            adapter: adapter, silence: options.silence, source: source, listedBy: listedBy,
            interrupted: { _ in hearingChanged(.blind) }, doubted: { hearingChanged($0 ? .inDoubt : .ok) }
        ) { feed.push($0) }
        state.withLock { $0.listener = listener }
        defer {
            state.withLock { state in
                state.listener = nil
                state.listedBy = listener.listedBy
                state.earlier.counts += listener.counts
            }
        }
        do {
            try await listener.run { method in
                hearingChanged(.ok)
                handlers.started("bluetoothd, \(method); \(method.limitation)")
            }
        } catch {
            hearingChanged(.blind)
            throw error
        }
    }

    /// Returns when bluetoothd has the adapter, powered on. It waits for bluetoothd's signals.
    ///
    /// - Throws: if the bus cannot be reached or refuses this user.
    package func waitUntilPresent() async throws {
        try await BluezListener(adapter: adapter) { _ in }.waitUntilPresent()
    }
}
