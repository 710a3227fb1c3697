package import Beacon
import HCI
package import Radio
import Synchronization

/// Scans with a controller: an adapter, one behind H4, or one on the emulated air.
package final class ControllerSource: SightingSource {
    package let spec: SourceSpec
    package let names: [BeaconID: String]
    private let source: SourceID
    private let options: ListeningOptions
    private let transport: @Sendable () throws(RadioError) -> any Transport
    private let state = Mutex(State())

    private struct State {
        var earlier = SourceTally()
        var scanner: Scanner?
    }

    /// - Parameters:
    ///   - source: goes into every sighting.
    ///   - transport: called for each connection.
    package init(
        _ spec: SourceSpec, source: SourceID, options: ListeningOptions = ListeningOptions(),
        names: [BeaconID: String] = [:], transport: @escaping @Sendable () throws(RadioError) -> any Transport
    ) {
        self.spec = spec
        self.names = names
        self.source = source
        self.options = options
        self.transport = transport
    }

    package var tally: SourceTally {
        let (earlier, scanner) = state.withLock { ($0.earlier, $0.scanner) }
        var tally = earlier
        if let scanner { tally.add(scanner) }
        return tally
    }

    package func listen(into feed: SightingFeed, _ handlers: ListeningHandlers) async throws {
        var transport = try transport()
        if let recorder = options.recorder {
            transport = RecordingTransport(transport, recorder: recorder, adapter: options.recordedAs)
        }
        let scanner = Scanner(
            transport: transport, name: spec.description, source: source, parameters: options.scan,
            silence: options.silence
        ) { feed.push($0) }
        state.withLock { $0.scanner = scanner }
        defer {
            state.withLock { state in
                state.scanner = nil
                state.earlier.add(scanner)
            }
        }
        try await scanner.run(hearingChanged: handlers.hearingChanged) { family in
            handlers.started(family == .legacy ? "legacy commands" : "extended commands")
        }
    }
}

extension SourceTally {
    fileprivate mutating func add(_ scanner: Scanner) {
        counts += scanner.counts
        overruns += scanner.overruns
        interference += scanner.interference
        trouble += scanner.trouble
    }
}
