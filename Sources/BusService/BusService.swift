package import Bus
package import Events
import Platform
import ServiceLifecycle
package import Settings

/// The daemon on the system's message bus, as `org.beacond.Beacond1`.
///
/// The bus may start, stop and restart. The service retries as long as the daemon runs.
package struct BusService: Service {
    private let settings: BusServiceSettings
    private let address: BusAddress
    private let hub: EventHub
    private let values: BusValues
    private let sync: @Sendable () -> BusError?

    private static let part = "dbus"
    private static let rules = Supervisor<BusError.Name>.Rules(longestPause: 60, stableAfter: 30)
    /// The time-out after which a silent bus is disconnected, so that messages do not pile up.
    private static let timeout = Duration.seconds(10)

    /// - Parameters:
    ///   - version: the version of this program.
    ///   - sync: starts to sync the whole site, or returns why it cannot.
    package init(
        _ settings: BusServiceSettings, address: BusAddress = .system, hub: EventHub, version: String,
        sync: @escaping @Sendable () -> BusError?
    ) {
        self.settings = settings
        self.address = address
        self.hub = hub
        self.sync = sync
        values = BusValues(names: hub.names, version: version)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await serve() }
    }

    /// Serves, again and again, until the task is cancelled.
    private func serve() async {
        let start = ContinuousClock.now
        func now() -> Double { (ContinuousClock.now - start) / .seconds(1) }
        var supervisor = Supervisor<BusError.Name>(rules: Self.rules)
        var actions = supervisor.handle(.start, at: now())
        while !Task.isCancelled {
            var (input, text): (Supervisor<BusError.Name>.Input?, String) = (nil, "")
            for action in actions {
                switch action {
                case .start:
                    do throws(BusError) {
                        try await serve { report(supervisor.handle(.succeeded, at: now())) }
                    } catch {
                        (input, text) = (.failed(error.name), problem(error))
                    }
                case .wait(let alarm, let seconds):
                    try? await Task.sleep(for: .seconds(seconds))
                    input = .due(alarm)
                case .report, .reportRecovery, .stop, .finish: break
                }
            }
            guard let input, !Task.isCancelled else { return }
            actions = supervisor.handle(input, at: now())
            report(actions, text)
        }
    }

    /// Reports problems only if the configuration turns the bus on. By default the bus is used if that is possible, and
    /// nothing is reported.
    private func report(_ actions: [Supervisor<BusError.Name>.Action], _ problem: String = "") {
        guard settings.isDemanded else { return }
        for action in actions {
            switch action {
            case .report(_, let retry):
                hub.publish(.trouble(part: Self.part, problem: problem, retry: retry))
            case .reportRecovery: hub.publish(.mended(part: Self.part))
            case .start, .stop, .wait, .finish: break
            }
        }
    }

    private func problem(_ error: BusError) -> String {
        switch error.name {
        case .accessDenied:
            "the bus does not let this user have the name \(Beacond1.name): is "
                + "/usr/share/dbus-1/system.d/org.beacond.Beacond1.conf there?"
        default: "\(error)"
        }
    }

    /// Serves until the bus is lost.
    ///
    /// - Parameter isReady: called when other programs can call this service.
    private func serve(_ isReady: () -> Void) async throws(BusError) {
        let caller = BusCaller(BusAnswers(values: values), hub: hub, sync: sync)
        let connection = BusConnection(address, receiver: caller, connectTimeout: Self.timeout)
        caller.answer(by: { connection.send($0) })
        defer { connection.close() }
        try connection.start()
        // From before the name is there: whoever sees the name gets what happens from then on.
        let subscription = hub.subscribe(wantsStates: true)
        let signals = BusSignals(values: values, hub.snapshot)
        try await takeName(connection)
        isReady()
        await withTaskGroup { group in
            group.addTask { await caller.closed() }
            group.addTask { await tell(connection, subscription, signals) }
            await group.next()
            group.cancelAll()
        }
        throw BusError(.disconnected, "the bus ended the connection")
    }

    /// D-Bus Specification, "Message Bus Messages", RequestName.
    private func takeName(_ connection: BusConnection) async throws(BusError) {
        let doNotQueue: UInt32 = 4
        let answer = try await connection.call(
            .call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                [.string(Beacond1.name), .uint32(doNotQueue)]), timeout: Self.timeout)
        guard answer.body == [.uint32(1)] else {
            throw BusError(
                .init(rawValue: "org.beacond.Error.NameTaken"), "another program has the name \(Beacond1.name)")
        }
    }

    private func tell(
        _ connection: BusConnection, _ subscription: EventSubscription, _ signals: BusSignals
    ) async {
        // Hundreds of beacons take longer than a thread of the cooperative pool may be held.
        let signals = BlockingQueue("dbus", signals)
        var asked = ContinuousClock.now
        while let batch = await subscription.next() {
            hub.noteDropped(batch.missed, by: "dbus")
            let snapshot = hub.snapshot
            for signal in await signals.run({ $0.signals(batch.records, snapshot) }) { connection.send(signal) }
            // The bus is pinged regularly.
            guard ContinuousClock.now - asked > .seconds(30) else { continue }
            let ping = BusMessage.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.Peer", "Ping")
            guard (try? await connection.call(ping, timeout: Self.timeout)) != nil else { return }
            asked = .now
        }
    }
}
