package import Beacon
package import HCI
import Synchronization

/// Listens for iBeacons on one controller, from connecting to a clean end.
package final class Scanner: Sendable {
    /// Called with each sighting on the transport's thread: it must return soon.
    package typealias Sink = @Sendable (borrowing Sighting) -> Void

    private let host: Host
    private let intake: Intake
    private let session: ControllerSession
    private let parameters: ScanParameters

    /// - Parameters:
    ///   - name: the source's specification, for messages.
    ///   - source: goes into every sighting.
    ///   - commandClock: measures the commands' time-outs; nil for `clock`.
    package init(
        transport: any Transport, name: String, source: SourceID, parameters: ScanParameters = ScanParameters(),
        silence: SilenceWatch.Settings = SilenceWatch.Settings(), clock: any Clock<Duration> = SessionThread.clock,
        commandClock: (any Clock<Duration>)? = nil, sink: @escaping Sink
    ) {
        let now = ControllerSession.stopwatch(clock)
        let intake = Intake(source: source, silence: silence, now: now, sink: sink)
        self.intake = intake
        self.parameters = parameters
        host = Host(transport: transport, name: name, clock: commandClock ?? clock) { packet, time in
            intake.receive(packet, at: time)
        }
        session = ControllerSession(host: host, clock: clock, now: now)
    }

    /// How much was decoded so far.
    package var counts: DecodingCounts { intake.counts }

    /// Packets lost before they could be read, because this program was too slow.
    package var overruns: Int { host.overruns }

    /// What other programs did to the scan so far.
    package var interference: Interference { intake.interference }

    /// The recovery steps so far, and the commands that failed.
    package var trouble: ControllerTrouble { host.trouble }

    /// Connects, scans, and returns when the source has ended or the task is cancelled. The scan is then switched off
    /// and the connection closed.
    ///
    /// - Parameters:
    ///   - hearingChanged: called with `ok` once scanning is on, with `inDoubt` while a silent controller has not
    ///     answered a test command, and with `blind` as soon as the scanner cannot receive.
    ///   - started: called once scanning is on.
    /// - Throws: when the controller cannot be reached, refuses, hangs, or goes away.
    package func run(
        hearingChanged: @escaping @Sendable (Hearing) -> Void = { _ in },
        started: @Sendable (CommandFamily) async -> Void = { _ in }
    ) async throws(RadioError) {
        let (parameters, sharing) = (parameters, host.sharing)
        try await session.run(
            ControllerSession.Plan(
                purpose: "scan", start: .scanning(parameters, sharing: sharing),
                // The first beacon exits after five seconds: until then this source must count as blind.
                refusalLimit: 3,
                restart: { .scanningAgain(parameters, by: $0) }, stop: { [ControllerProcedure.stopScanning($0)] }),
            watchedBy: intake, hearingChanged: hearingChanged, started: started)
    }
}

/// Decodes packets on the transport's thread. It is separate from the scanner, so that the host can keep a reference to
/// it without a reference cycle.
private final class Intake: SessionMonitor {
    private struct State {
        var counts = DecodingCounts()
        var silence: SilenceWatch
        var keeper = ScanKeeper(now: 0)
    }

    /// Only `receive` locks it, so that the sink may use everything else here.
    private let decoder = Mutex(SightingDecoder())
    private let state: Mutex<State>
    private let source: SourceID
    private let references: Set<BeaconID>
    private let sink: Scanner.Sink
    /// The session's clock.
    private let now: @Sendable () -> Double
    let pause = Pause()

    init(
        source: SourceID, silence: SilenceWatch.Settings, now: @escaping @Sendable () -> Double,
        sink: @escaping Scanner.Sink
    ) {
        self.source = source
        self.now = now
        self.sink = sink
        references = silence.references
        state = Mutex(State(silence: SilenceWatch(settings: silence, now: 0)))
    }

    var counts: DecodingCounts { state.withLock { $0.counts } }
    var hearing: Hearing { state.withLock { $0.silence.hearing } }
    var interference: Interference { state.withLock { $0.keeper.interference } }
    var due: Double { state.withLock { min($0.silence.due, $0.keeper.due) } }

    func receive(_ packet: RawSpan, at time: Timestamp) {
        var isReference = false
        let counts = decoder.withLock { decoder in
            decoder.decode(packet: packet, at: time, source: source) { sighting in
                if !references.isEmpty, references.contains(sighting.beacon.id) { isReference = true }
                sink(sighting)
            }
            return decoder.counts
        }
        let now = now()
        let isNews = state.withLock { state in
            let hearing = state.silence.hearing
            state.silence.heardAnswer(at: now)
            if counts.reports != state.counts.reports { state.silence.heardReport(at: now) }
            if isReference { state.silence.heardReference(at: now) }
            state.counts = counts
            // The kernel shows what others send to a shared adapter, never what we send.
            if let command = Command(packet: packet) {
                state.keeper.sawForeign(command, at: now)
                return true
            }
            return state.silence.hearing != hearing
        }
        if isNews { pause.end() }
    }

    func starting() {
        state.withLock { $0.keeper.starting() }
    }

    func started(at now: Double) {
        state.withLock { $0.keeper.started(at: now) }
    }

    func refused(at now: Double) {
        state.withLock { $0.keeper.refused(at: now) }
    }

    func action(at now: Double) -> SilenceWatch.Action {
        state.withLock { state in
            state.keeper.mustRestart(at: now) ? .reassert : state.silence.check(at: now)
        }
    }
}
