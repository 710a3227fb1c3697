package import Beacon
import BlueZ
package import Listening
import Platform
import Radio
import Synchronization

/// Checks with another adapter whether a beacon is on the air as it should be.
package final class Verifier: Sendable {
    private struct State {
        /// Reports from before the expected payload was known.
        var early: [AirCheck.Report] = []
        var check: AirCheck?
    }

    package let source: SourceSpec
    private let airs: Airs
    private let state = Mutex(State())

    /// - Throws: `badSource` for a source that cannot receive what is on the air now.
    package init(_ source: SourceSpec, airs: Airs) throws {
        if case .file = source.kind {
            throw RadioError(
                .badSource, at: "source \"\(source)\"", "a capture cannot verify what is on the air now",
                remedy: "name an adapter, bluez:hciN, h4:… or sim")
        }
        self.source = source
        self.airs = airs
    }

    /// Listens until the task is cancelled.
    ///
    /// - Parameter started: called when it listens.
    /// - Throws: if that is not possible.
    package func listen(started: @escaping @Sendable () async -> Void) async throws {
        if case .bluetoothd(let adapter) = source.kind {
            let listener = BluezListener(adapter: adapter) { [self] sighting in
                take(
                    AirCheck.Report(
                        time: sighting.time ?? WallClock.now, address: sighting.address, rssi: sighting.rssi,
                        payload: nil, beacon: sighting.beacon))
            }
            try await listener.run { _ in await started() }
        } else {
            let tap = ReportObservingTransport(try airs.transport(to: source)) { [self] in take($0) }
            let scanner = Scanner(transport: tap, name: source.description, source: 0) { _ in }
            try await scanner.run(started: { _ in await started() })
        }
    }

    /// Sets the expected payload: the beacon has just been put on the air.
    ///
    /// - Parameter address: the sender's address, if it is known.
    package func expect(_ payload: [UInt8], _ beacon: IBeacon, from address: DeviceAddress?) {
        state.withLock { state in
            var check = AirCheck(sent: payload, beacon: beacon, address: address)
            for report in state.early { check.hear(report) }
            state.early = []
            state.check = check
        }
    }

    /// The result so far; nil before `expect`.
    package var check: AirCheck? { state.withLock { $0.check } }

    private func take(_ report: AirCheck.Report) {
        state.withLock { state in
            if state.check != nil {
                state.check?.hear(report)
            } else if state.early.count < 10_000 {
                state.early.append(report)
            }
        }
    }
}
