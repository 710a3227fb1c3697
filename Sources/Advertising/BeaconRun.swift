import Beacon
import BlueZ
import HCI
package import Listening
package import Radio
import RadioEmulation
import Synchronization

/// Advertises one beacon until it is stopped, and verifies it if that is wanted.
package struct BeaconRun: Sendable {
    /// What happens, for whoever tells it.
    package enum Event: Sendable {
        /// It is on the air; how, in a few words, and what is not as it was asked for.
        case started(how: String, limitation: String?)
        case verified(AirCheck.Reception, by: SourceSpec)
    }

    private let settings: BeaconSettings
    private let verifier: Verifier?
    private let recorder: PacketRecorder?
    private let airs = Airs()
    private let isVerified = Verified()

    /// How long a beacon is listened for.
    package static let verification = Duration.seconds(5)

    /// - Parameter verifySource: another source that must hear it.
    /// Throws `badSource` where the two cannot be.
    package init(_ settings: BeaconSettings, verifyWith verifySource: SourceSpec?, recorder: PacketRecorder?) throws {
        self.settings = settings
        self.recorder = recorder
        if let verifySource, verifySource == settings.source, !Self.isAirOfOurOwn(verifySource) {
            throw RadioError(
                .badSource, at: "source \"\(verifySource)\"", "an adapter does not hear itself",
                remedy: "name another adapter, or bluez:hciN of another adapter")
        }
        verifier = try verifySource.map { [airs] in try Verifier($0, airs: airs) }
    }

    /// Each connection to these is another controller.
    private static func isAirOfOurOwn(_ source: SourceSpec) -> Bool {
        switch source.kind {
        case .emulation, .h4(.tcp), .h4(.unix): true
        default: false
        }
    }

    /// Runs until the task is cancelled; then the beacon is off the air, and the adapter as it was.
    ///
    /// Throws when the controller cannot be reached, refuses, hangs, or goes away, and `notVerified`.
    package func run(_ tell: @escaping @Sendable (Event) -> Void) async throws {
        guard let verifier else { return try await advertise(tell) {} }
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        let (starts, onAir) = AsyncStream.makeStream(of: Void.self)
        // The first of the two to end, in peace or by an error, ends the other.
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                defer { ready.finish() }
                try await verify(with: verifier, starts, ready: { ready.yield() }, tell)
            }
            // First the ear, then the mouth: so the first packet is verified too.
            var isListening = false
            for await _ in readiness {
                isListening = true
                break
            }
            if isListening { group.addTask { try await advertise(tell) { onAir.yield() } } }
            do {
                try await group.next()
            } catch is CancellationError {}
        }
    }

    /// It is to be verified, and was not yet.
    package var isUnverified: Bool { verifier != nil && !isVerified.value.load(ordering: .relaxed) }

    /// Judges by what was heard until a run was ended early. Throws `NotVerified` where that does not do.
    ///
    /// - Parameter seconds: how long it was.
    package func settle(after seconds: Double, _ tell: @Sendable (Event) -> Void) throws {
        guard isUnverified, let verifier else { return }
        try conclude(verifier, after: min(seconds, Double(Self.verification.components.seconds)), tell)
    }

    private func conclude(
        _ verifier: Verifier, after seconds: Double, _ tell: @Sendable (Event) -> Void
    ) throws(NotVerified) {
        switch verifier.check?.verdict ?? .deaf {
        case .heard(let reception):
            isVerified.value.store(true, ordering: .relaxed)
            tell(.verified(reception, by: verifier.source))
        case let verdict:
            throw NotVerified(
                source: verifier.source, verdict: verdict, sent: settings.broadcast.data, seconds: seconds)
        }
    }

    /// What the copies of a run share.
    private final class Verified: Sendable {
        let value = Atomic(false)
    }

    // MARK: - Advertising

    private func advertise(
        _ tell: @escaping @Sendable (Event) -> Void, _ onAir: @escaping @Sendable () -> Void
    ) async throws {
        switch settings.mode {
        case .hci: try await advertiseByCommands(tell, onAir)
        case .bluez: try await advertiseThroughBluetoothd(tell, onAir)
        }
    }

    private func advertiseByCommands(
        _ tell: @escaping @Sendable (Event) -> Void, _ onAir: @escaping @Sendable () -> Void
    ) async throws {
        var transport = try airs.transport(to: settings.source)
        if let recorder { transport = RecordingTransport(transport, recorder: recorder) }
        let claim = try await settings.source.claim()
        let advertiser = Advertiser(
            transport: transport, name: settings.source.description, broadcast: settings.broadcast,
            sets: claim?.sets ?? .own(), manner: settings.followsGuides ? .guides : .exact)
        // What another program does to it is to be found by the verification, not undone before.
        advertiser.holdRestoring(verifier != nil)
        try await advertiser.run { [verifier, settings] family in
            claim?.releaseLeftovers()
            verifier?.expect(settings.beacon.advertisingData(), settings.beacon, from: advertiser.address)
            tell(.started(how: family == .legacy ? "legacy commands" : "extended commands", limitation: nil))
            onAir()
            guard verifier != nil else { return }
            Task {
                try await Task.sleep(for: Self.verification)
                advertiser.holdRestoring(false)
            }
        }
        withExtendedLifetime(claim) {}
    }

    private func advertiseThroughBluetoothd(
        _ tell: @escaping @Sendable (Event) -> Void, _ onAir: @escaping @Sendable () -> Void
    ) async throws {
        let advertiser = BluezAdvertiser(
            adapter: try settings.source.adapterIndex, beacon: settings.beacon,
            interval: UInt32(settings.interval.rounded()))
        try await advertiser.run { [verifier, settings] limitation in
            verifier?.expect(settings.beacon.advertisingData(flags: nil), settings.beacon, from: nil)
            tell(
                .started(
                    how: "bluetoothd",
                    limitation: BluezAdvertiser.note + (limitation.map { "; " + $0 } ?? "")))
            onAir()
        }
    }

    // MARK: - Verifying

    /// Listens until the verdict is there, throws it unless it is good, and then waits for its cancellation.
    private func verify(
        with verifier: Verifier, _ starts: AsyncStream<Void>, ready: @escaping @Sendable () -> Void,
        _ tell: @escaping @Sendable (Event) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await verifier.listen { ready() } }
            group.addTask {
                for await _ in starts { return try await judge(verifier) }
            }
            try await group.next()
        }
        try Task.checkCancellation()
        try conclude(verifier, after: Double(Self.verification.components.seconds), tell)
        try await Task.sleep(for: .seconds(1_000_000_000))
    }

    private func judge(_ verifier: Verifier) async throws {
        let deadline = ContinuousClock.now + Self.verification
        while ContinuousClock.now < deadline, verifier.check?.hasFailed != true {
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// A beacon was not heard as it was sent. The description says what was heard instead.
package struct NotVerified: Error, CustomStringConvertible {
    package var source: SourceSpec
    package var verdict: AirCheck.Verdict
    package var sent: [UInt8]
    /// How long it was listened for.
    package var seconds: Double

    package var description: String { "not verified by \(source): \(reason)" }

    private var reason: String {
        let seconds = seconds == seconds.rounded() ? "\(Int(min(seconds, 1e9)))" : "\(seconds)"
        switch verdict {
        case .deaf:
            return
                "it heard nothing at all in \(seconds) s, from nobody; it may be deaf: run beaconctl doctor, and see "
                + "whether beaconctl sightings --source \(source) hears any other beacon"
        case .notHeard(let others):
            return
                "it heard \(others) advertisements of others in \(seconds) s, but not this beacon: is it in reach, and "
                + "is the advertising adapter's antenna connected?"
        case .wrong(let difference, let heard):
            return "\(difference); another program may have changed the advertising data\n"
                + "  sent:  \(hexText(sent))\n  heard: \(hexText(heard))"
        case .wrongPower(let heard):
            return
                "the beacon is heard with the measured power \(heard) dBm, which is not what was sent: another beacon "
                + "has the same identity, or another program has changed the advertising data"
        case .heard:
            return "the verification was cut short"
        }
    }
}

extension SourceSpec {
    /// The adapter's name where others may use it at the same time; nil for controllers of our own.
    private var sharedAdapter: String? {
        guard case .adapter(let adapter, .raw) = kind else { return nil }
        switch adapter {
        case .index(let index): return "hci\(index)"
        case .address(let address):
            let adapters = (try? LinuxAdapters.all()) ?? []
            return adapters.first { $0.address == address }?.name ?? "\(address)"
        }
    }

    /// Advertising sets on an adapter that others may use; nil for controllers of our own.
    func claim(_ count: Int = 1) async throws(RadioError) -> AdvertisingClaim? {
        guard let sharedAdapter else { return nil }
        return try await AdvertisingClaim(adapter: sharedAdapter, count: count)
    }

    /// For bluetoothd. Throws `badSource` for what is no adapter.
    var adapterIndex: UInt16 {
        get throws(RadioError) {
            switch kind {
            case .bluetoothd(let index), .adapter(.index(let index), .raw): return index
            case .adapter(.address(let address), .raw):
                if let adapter = try LinuxAdapters.all().first(where: { $0.address == address }) {
                    return adapter.index
                }
            default: break
            }
            throw RadioError(
                .badSource, at: "source \"\(self)\"", "is no adapter of bluetoothd", remedy: "use --adapter hci0")
        }
    }
}
