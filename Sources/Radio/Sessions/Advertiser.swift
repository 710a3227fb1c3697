public import HCI
import Synchronization

/// Advertises one payload on one controller, from connecting to silence.
public final class Advertiser: Sendable {
    private let host: Host
    private let session: ControllerSession
    private let pulse: Pulse
    private let data: [UInt8]
    private let parameters: AdvertisingParameters

    /// - Parameters:
    ///   - name: the source's specification, for messages.
    ///   - data: the advertising payload, at most 31 octets.
    public init(
        transport: any Transport, name: String, data: [UInt8], parameters: AdvertisingParameters,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let pulse = Pulse()
        self.pulse = pulse
        self.data = data
        self.parameters = parameters
        host = Host(transport: transport, name: name, clock: clock) { _, _ in pulse.beat() }
        session = ControllerSession(host: host, clock: clock)
    }

    /// Connects, advertises, and returns when the source is over or the task is cancelled: advertising is then switched
    /// off and the connection closed.
    ///
    /// Throws when the controller cannot be reached, refuses, hangs, or goes away.
    /// - Parameter started: called once the payload is on the air.
    public func run(started: @Sendable (CommandFamily) async -> Void = { _ in }) async throws(RadioError) {
        let procedure = ControllerProcedure.advertising(data, parameters, sharing: host.sharing)
        try await session.run(
            ControllerSession.Plan(
                purpose: "advertise", start: procedure, restart: { _ in procedure },
                stop: ControllerProcedure.stopAdvertising),
            watchedBy: pulse, started: started)
    }
}

/// An advertiser hears nothing but answers, so the controller is asked for one whenever it has been quiet.
private final class Pulse: SessionMonitor {
    private struct State {
        var beats = 0
        var seen = 0
        var silence: SilenceWatch
    }

    private let state: Mutex<State>

    init() {
        var settings = SilenceWatch.Settings()
        settings.expiry = .infinity
        state = Mutex(State(silence: SilenceWatch(settings: settings, now: 0)))
    }

    var hearing: Hearing { .ok }

    func beat() {
        state.withLock { $0.beats &+= 1 }
    }

    func started(at now: Double) {}

    func action(at now: Double) -> SilenceWatch.Action {
        state.withLock { state in
            if state.beats != state.seen { state.silence.heardAnswer(at: now) }
            state.seen = state.beats
            return state.silence.check(at: now)
        }
    }
}
