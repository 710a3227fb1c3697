import Beacon
import BlueZ
import HCI
package import Listening
import Platform
package import Radio
import RadioEmulation

/// Advertises one beacon until it is stopped, and optionally verifies it.
package struct BeaconRun: Sendable {
    /// What happens during the run.
    package enum Event: Sendable {
        /// It is on the air. `how` names the method; `limitation` says what differs from the request.
        case started(how: String, limitation: String?)
        case verified(AirCheck.Reception, by: SourceSpec)
    }

    private let settings: BeaconSettings
    private let verifier: Verifier?
    private let recorder: PacketRecorder?
    private let airs = Airs()
    /// All copies of a run share it.
    private let isVerified = OneWayFlag()

    /// How long to listen for a beacon.
    package static let verification = Duration.seconds(5)

    /// - Parameter verifySource: another source that must receive the beacon.
    /// - Throws: `badSource` if the two sources cannot be combined.
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

    /// Each connection to such a source gets a separate controller.
    private static func isAirOfOurOwn(_ source: SourceSpec) -> Bool {
        switch source.kind {
        case .emulation, .h4(.tcp), .h4(.unix): true
        default: false
        }
    }

    /// Runs until the task is cancelled. Then the beacon is off the air, and the adapter is in its former state.
    ///
    /// - Throws: if the controller cannot be reached, refuses, does not answer, or goes away; and `notVerified`.
    package func run(_ tell: @escaping @Sendable (Event) -> Void) async throws {
        guard let verifier else { return try await advertise(tell) {} }
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        let (starts, onAir) = AsyncStream.makeStream(of: Void.self)
        // When one of the two ends or fails, the other is cancelled.
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                defer { ready.finish() }
                try await verify(with: verifier, starts, ready: { ready.yield() }, tell)
            }
            // Listening starts first, so that the first packet is verified too.
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

    /// Whether verification was requested and has not succeeded yet.
    package var isUnverified: Bool { verifier != nil && !isVerified.isUp }

    /// Decides from what was received until a run was stopped early.
    ///
    /// - Parameter seconds: the length of the run.
    /// - Throws: `NotVerified` if that is not enough.
    package func settle(after seconds: Double, _ tell: @Sendable (Event) -> Void) throws {
        guard isUnverified, let verifier else { return }
        try conclude(verifier, after: min(seconds, Double(Self.verification.components.seconds)), tell)
    }

    private func conclude(
        _ verifier: Verifier, after seconds: Double, _ tell: @Sendable (Event) -> Void
    ) throws(NotVerified) {
        switch verifier.check?.verdict ?? .blind {
        case .heard(let reception):
            isVerified.raise()
            tell(.verified(reception, by: verifier.source))
        case let verdict:
            throw NotVerified(
                source: verifier.source, verdict: verdict, sent: settings.broadcast.data, seconds: seconds)
        }
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
        // The verification must detect changes by other programs, so they are not reverted before.
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

    /// Listens until there is a verdict. If that is good, it waits for cancellation.
    ///
    /// - Throws: the verdict if it is bad.
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
        await untilCancelled()
    }

    private func judge(_ verifier: Verifier) async throws {
        let deadline = ContinuousClock.now + Self.verification
        while ContinuousClock.now < deadline, verifier.check?.hasFailed != true {
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
