import Beacon
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
        host = Host(transport: transport, name: name, clock: clock) { packet, _ in pulse.beat(packet) }
        session = ControllerSession(host: host, clock: clock)
    }

    /// Connects, advertises, and returns when the source is over or the task is cancelled: advertising is then switched
    /// off, page and inquiry scan are as they were, and the connection is closed.
    ///
    /// Throws when the controller cannot be reached, refuses, hangs, or goes away.
    /// - Parameter started: called once the payload is on the air.
    public func run(started: @Sendable (CommandFamily) async -> Void = { _ in }) async throws(RadioError) {
        let pulse = pulse
        let procedure = ControllerProcedure.advertising(data, parameters, sharing: host.sharing)
        try await session.run(
            ControllerSession.Plan(
                purpose: "advertise", start: procedure, restart: { _ in procedure },
                stop: { family in
                    [ControllerProcedure.stopAdvertising(family)]
                        + (pulse.formerScanMode.map { [.writeScanEnable($0)] } ?? [])
                }),
            watchedBy: pulse, started: started)
    }
}

/// An advertiser hears nothing but answers, so the controller is asked for one whenever it has been quiet.
private final class Pulse: SessionMonitor {
    private struct State {
        var beats = 0
        var seen = 0
        var formerScanMode: UInt8?
        var silence: SilenceWatch
    }

    private let state: Mutex<State>

    init() {
        var settings = SilenceWatch.Settings()
        settings.expiry = .infinity
        state = Mutex(State(silence: SilenceWatch(settings: settings, now: 0)))
    }

    var hearing: Hearing { .ok }

    /// Page and inquiry scan as they were before this session switched them off; nil where they were off.
    var formerScanMode: UInt8? { state.withLock { $0.formerScanMode } }

    func beat(_ packet: RawSpan) {
        let mode = Self.scanMode(packet)
        state.withLock { state in
            state.beats &+= 1
            // Only the first answer tells what was there before.
            if let mode, mode != 0, state.formerScanMode == nil { state.formerScanMode = mode }
        }
    }

    private static func scanMode(_ packet: RawSpan) -> UInt8? {
        guard packet.byteCount > 1, packet.octet(at: 0) == PacketType.event.rawValue,
            let answer = CommandAnswer(event: packet.extracting(1..<packet.byteCount)),
            answer.opcode == .readScanEnable, answer.status == .success
        else { return nil }
        return answer.returnParameters.first
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
