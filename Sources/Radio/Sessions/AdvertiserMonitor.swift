import Beacon
import HCI
import Synchronization

/// Watches an advertiser. It receives only answers, so the controller is asked for one whenever it has been quiet. It
/// also watches what other programs do to the advertising of a shared controller.
final class AdvertiserMonitor: SessionMonitor {
    private struct State {
        var formerScanMode: UInt8?
        var silence: SilenceWatch
        var keeper: AdvertisingKeeper
        var isHeld = false
        /// What is done now restores what others have changed.
        var isRestoring = false
        var restorations = 0
    }

    private let state: Mutex<State>
    /// The session's clock.
    private let now: @Sendable () -> Double
    let pause = Pause()

    /// - Parameter handles: the sets that are ours.
    init(handles: Set<UInt8>, now: @escaping @Sendable () -> Double) {
        self.now = now
        var settings = SilenceWatch.Settings()
        settings.expiry = .infinity
        state = Mutex(
            State(
                silence: SilenceWatch(settings: settings, now: 0), keeper: AdvertisingKeeper(handles: handles, now: 0)))
    }

    var hearing: Hearing { .ok }

    /// Page and inquiry scan as they were before this session switched them off; nil if they were off.
    var formerScanMode: UInt8? { state.withLock { $0.formerScanMode } }

    var restorations: Int { state.withLock { $0.restorations } }

    var due: Double {
        state.withLock { state in
            min(state.silence.due, state.isHeld ? .infinity : state.keeper.due)
        }
    }

    func hold(_ isHeld: Bool) {
        state.withLock { $0.isHeld = isHeld }
        pause.end()
    }

    /// The family is known.
    func begin(_ family: CommandFamily) {
        state.withLock { $0.keeper.family = family }
    }

    func receive(_ packet: RawSpan) {
        let mode = Self.scanMode(packet)
        // The kernel shows what others send to a shared adapter, never what we send.
        let foreign = Command(packet: packet)
        let now = now()
        state.withLock { state in
            state.silence.heardAnswer(at: now)
            // Only the first answer shows the former state.
            if let mode, mode != 0, state.formerScanMode == nil { state.formerScanMode = mode }
            if let foreign { state.keeper.sawForeign(foreign, at: now) }
        }
        if foreign != nil { pause.end() }
    }

    private static func scanMode(_ packet: RawSpan) -> UInt8? {
        guard packet.byteCount > 1, packet.octet(at: 0) == PacketType.event.rawValue,
            let answer = CommandAnswer(event: packet.extracting(1..<packet.byteCount)),
            answer.opcode == .readScanEnable, answer.status == .success
        else { return nil }
        return answer.returnParameters.first
    }

    func starting() {
        state.withLock { $0.keeper.starting() }
    }

    func started(at now: Double) {
        state.withLock { state in
            state.keeper.started(at: now)
            if state.isRestoring { state.restorations += 1 }
            state.isRestoring = false
        }
    }

    func refused(at now: Double) {
        state.withLock { $0.keeper.refused(at: now) }
    }

    func action(at now: Double) -> SilenceWatch.Action {
        state.withLock { state in
            guard !state.isHeld, state.keeper.mustRestart(at: now) else {
                return state.silence.check(at: now)
            }
            state.isRestoring = true
            return .reassert
        }
    }
}
