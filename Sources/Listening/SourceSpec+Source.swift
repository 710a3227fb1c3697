package import Beacon
import Platform
package import Radio
import RadioEmulation

extension SourceSpec {
    /// Makes the source, not connected yet.
    ///
    /// - Parameters:
    ///   - source: the source in every sighting.
    ///   - receivers: where the scanners that a capture names get their IDs.
    /// - Throws: if the scenario cannot be read, or if there is no adapter for `auto`.
    package func makeSource(
        _ source: SourceID, options: ListeningOptions = ListeningOptions(), receivers: Receivers? = nil
    ) throws -> any SightingSource {
        let found = try found()
        switch found.kind {
        case .bluetoothd(let adapter):
            return BluetoothdSource(found, adapter: adapter, source: source, options: options)
        case .file(let path):
            return CaptureReplay(found, path: path, source: source, receivers: receivers)
        case .emulation, .adapter, .h4, .auto:
            let scenario = try found.readScenario()
            return ControllerSource(found, source: source, options: options, names: scenario?.names ?? [:]) {
                () throws(RadioError) in try found.transport(scenario, walks: options.walks)
            }
        }
    }

    /// The adapter numbers that distinguish several sources in a recording: an adapter has its own, other sources get
    /// the next free ones.
    package static func recordedAdapters(of specs: [SourceSpec]) -> [UInt16] {
        var taken: Set<UInt16> = []
        let own = specs.map { spec -> UInt16? in
            guard case .adapter(.index(let index), _) = spec.kind else { return nil }
            return taken.insert(index).inserted ? index : nil
        }
        var next: UInt16 = 0
        return own.map { number in
            if let number { return number }
            while taken.contains(next) { next += 1 }
            taken.insert(next)
            return next
        }
    }

    /// A transport to one controller, for programs that do not scan (the advertiser).
    package func makeTransport() throws -> any Transport {
        let found = try found()
        return try found.transport(try found.readScenario(), walks: nil)
    }

    /// For `auto`, the first adapter that is there now; otherwise itself.
    package func found() throws(RadioError) -> SourceSpec { kind == .auto ? try Self.firstAdapter() : self }

    /// Whether a second connection to it can send while the first one listens. (Each connection to an H4 server gets
    /// its own controller. A serial line and the user channel accept only one connection.)
    package var canSendBesideListening: Bool {
        switch kind {
        case .adapter(_, .raw), .bluetoothd, .h4(.tcp), .h4(.unix), .emulation, .auto: true
        case .adapter, .h4, .file: false
        }
    }

    /// Nil if it is not the emulated air.
    private func readScenario() throws -> Scenario? {
        guard case .emulation(let path) = kind else { return nil }
        return try path.map { try Scenario(path: $0) } ?? .museum
    }

    private func transport(_ scenario: Scenario?, walks: Int?) throws(RadioError) -> any Transport {
        switch kind {
        case .adapter(let adapter, let channel):
            return LinuxHCITransport(adapter, channel: channel)
        case .h4(let endpoint):
            return H4Transport(endpoint)
        case .emulation:
            let air = EmulatedAir(
                scenario: scenario ?? .museum, start: WallClock.now, wallClock: { WallClock.now }, walks: walks)
            return EmulatedTransport(air)
        case .bluetoothd, .file, .auto:
            throw RadioError(
                .badSource, at: "source \"\(self)\"", "is no controller", remedy: "use hci0, h4:… or sim")
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
}
