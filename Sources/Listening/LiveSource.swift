package import Beacon
import BlueZ
package import HCI
import Platform
package import Radio
import RadioEmulation
import Synchronization

/// How live sources are listened to.
package struct ListeningOptions: Sendable, Equatable {
    package var scan = ScanParameters()
    package var silence = SilenceWatch.Settings()
    /// Where every packet is recorded as well.
    package var recorder: PacketRecorder?
    /// How often the emulated visitor walks before a `sim` source ends; nil is for ever.
    package var walks: Int?

    package init() {}

    package static func == (left: ListeningOptions, right: ListeningOptions) -> Bool {
        left.scan == right.scan && left.silence == right.silence && left.recorder === right.recorder
            && left.walks == right.walks
    }
}

/// A source that goes on until it is stopped: an adapter, a controller behind H4, the emulated air.
package final class LiveSource: Sendable {
    package let spec: SourceSpec
    /// What the source itself calls its beacons (a scenario does).
    package let names: [BeaconID: String]
    private let index: UInt16
    private let options: ListeningOptions
    private let scenario: Scenario?
    private let earlier = Mutex(Tally())
    private let scanner = Mutex<Scanner?>(nil)
    private let listener = Mutex<BluezListener?>(nil)

    /// - Parameter index: goes into every sighting as its scanner.
    /// Throws when the scenario cannot be read or no adapter is there for `auto`.
    package init(_ spec: SourceSpec, index: UInt16, options: ListeningOptions = ListeningOptions()) throws {
        self.spec = spec.kind == .auto ? try Self.firstAdapter() : spec
        self.index = index
        self.options = options
        if case .emulation(let path) = spec.kind {
            let scenario = try path.map { try Scenario(path: $0) } ?? .museum
            self.scenario = scenario
            names = scenario.names
        } else {
            scenario = nil
            names = [:]
        }
    }

    private static func firstAdapter() throws(RadioError) -> SourceSpec {
        let adapters: [LinuxAdapter]
        do throws(RadioError) {
            adapters = try LinuxAdapters.all()
        } catch {
            throw RadioError(
                .cannotOpen, at: "source auto", "\(error.problem), so there is no adapter to listen with",
                remedy: "plug one in, name another source, or try --source sim, the built-in emulated air")
        }
        guard let adapter = adapters.first(where: { $0.isUp && $0.hasLowEnergy }) ?? adapters.first else {
            throw RadioError(
                .cannotOpen, at: "source auto", "no Bluetooth adapter was found",
                remedy: "plug one in, name another source, or try --source sim, the built-in emulated air")
        }
        return try SourceSpec(adapter.name)
    }

    /// What a source counts, over all connections.
    package struct Tally: Sendable {
        /// What passed through.
        package var counts = DecodingCounts()
        /// Packets lost before they could be read, because this program was too slow.
        package var overruns = 0
        /// What other programs did to the scan.
        package var interference = Interference()
        /// What was done about the controller, and what it refused.
        package var trouble = ControllerTrouble()

        package static func += (left: inout Tally, right: Tally) {
            left.counts += right.counts
            left.overruns += right.overruns
            left.interference += right.interference
            left.trouble += right.trouble
        }

        fileprivate mutating func add(_ scanner: Scanner) {
            counts += scanner.counts
            overruns += scanner.overruns
            interference += scanner.interference
            trouble += scanner.trouble
        }
    }

    package var tally: Tally {
        var tally = earlier.withLock { $0 }
        if let scanner = scanner.withLock({ $0 }) { tally.add(scanner) }
        if let listener = listener.withLock({ $0 }) { tally.counts += listener.counts }
        return tally
    }

    /// Connects and hands on sightings until the source is over or the task is cancelled. May be called again after it
    /// threw: each call is a fresh connection.
    ///
    /// - Parameters:
    ///   - hearingChanged: called with `ok` once scanning is on, with `inDoubt` while a silent controller is asked
    ///     whether it lives, and with `blind` as soon as hearing has failed.
    ///   - started: called once scanning is on, with how it is done in a few words.
    package func listen(
        into feed: SightingFeed, hearingChanged: @escaping @Sendable (Hearing) -> Void = { _ in },
        started: @Sendable (_ how: String) async -> Void = { _ in }
    ) async throws(RadioError) {
        if case .bluetoothd(let adapter) = spec.kind {
            try await listen(throughBluetoothdTo: adapter, into: feed, hearingChanged, started)
            return
        }
        let scanner = Scanner(
            transport: try transport(), name: spec.description, index: index, parameters: options.scan,
            silence: options.silence
        ) { feed.push($0) }
        self.scanner.withLock { $0 = scanner }
        defer {
            self.scanner.withLock { $0 = nil }
            earlier.withLock { $0.add(scanner) }
        }
        try await scanner.run(hearingChanged: hearingChanged) { family in
            await started(family == .legacy ? "legacy commands" : "extended commands")
        }
    }

    private func listen(
        throughBluetoothdTo adapter: UInt16, into feed: SightingFeed,
        _ hearingChanged: @escaping @Sendable (Hearing) -> Void, _ started: @Sendable (String) async -> Void
    ) async throws(RadioError) {
        guard options.recorder == nil else {
            throw RadioError(
                .badSource, at: "source \"\(spec)\"", "bluetoothd shows no packets that could be recorded",
                remedy: "leave --capture out, or listen on the adapter itself (hci\(adapter))")
        }
        let listener = BluezListener(
            adapter: adapter, silence: options.silence, scanner: index, interrupted: { _ in hearingChanged(.blind) },
            doubted: { hearingChanged($0 ? .inDoubt : .ok) }
        ) { feed.push($0) }
        self.listener.withLock { $0 = listener }
        defer {
            self.listener.withLock { $0 = nil }
            earlier.withLock { $0.counts += listener.counts }
        }
        do throws(RadioError) {
            try await listener.run { method in
                hearingChanged(.ok)
                await started("bluetoothd, \(method); \(method.limitation)")
            }
        } catch {
            hearingChanged(.blind)
            throw error
        }
    }

    /// Suspends until bluetoothd has the adapter of a `bluez:` source, powered on; by its signals, without asking
    /// again. Throws when the bus cannot be reached or does not let this user in, and at once for any other source.
    package static func waitUntilPresent(_ spec: SourceSpec) async throws(RadioError) {
        guard case .bluetoothd(let adapter) = spec.kind else {
            throw RadioError(.badSource, at: "source \"\(spec)\"", "is not bluetoothd's")
        }
        try await BluezListener(adapter: adapter) { _ in }.waitUntilPresent()
    }

    private func transport() throws(RadioError) -> any Transport {
        let transport = try Self.transport(spec, scenario: scenario, walks: options.walks)
        guard let recorder = options.recorder else { return transport }
        return RecordingTransport(transport, recorder: recorder)
    }

    private static func transport(
        _ spec: SourceSpec, scenario: Scenario?, walks: Int?
    ) throws(RadioError) -> any Transport {
        switch spec.kind {
        case .adapter(let adapter, let channel):
            return LinuxHCITransport(adapter, channel: channel)
        case .h4(let endpoint):
            return H4Transport(endpoint)
        case .emulation:
            let air = EmulatedAir(
                scenario: scenario ?? .museum, start: WallClock.now, wallClock: { WallClock.now }, walks: walks)
            return EmulatedTransport(air)
        case .bluetoothd, .file, .auto:
            throw RadioError(.badSource, at: "source \"\(spec)\"", "is no controller", remedy: "use hci0, h4:… or sim")
        }
    }

    /// A transport to one controller, for programs that do not scan (the advertiser).
    package static func transport(to spec: SourceSpec) throws -> any Transport {
        var scenario: Scenario?
        if case .emulation(let path?) = spec.kind { scenario = try Scenario(path: path) }
        let spec = spec.kind == .auto ? try firstAdapter() : spec
        return try transport(spec, scenario: scenario, walks: nil)
    }
}
