import Beacon
import Radio

/// Silence, judged as for a controller: bluetoothd is asked something harmless, then made to listen anew, then the
/// connection is given up for a fresh one.
extension BluezSession {
    /// How long bluetoothd may take to answer what it is asked in silence.
    static let answerLimit = 2.0

    mutating func tick(at now: Double, _ actions: inout [Action]) {
        clock = now
        guard case .listening(let method) = phase else { return }
        let former = silence.hearing
        noteSigns(at: now)
        if former == .blind, silence.hearing == .ok { actions.append(.started(method)) }
        if let askedAt, now - askedAt >= Self.answerLimit {
            return end(silent(failures.daemonSilent()), &actions)
        }
        switch silence.check(at: now) {
        case .none:
            break
        case .ask where askedAt == nil:
            askedAt = now
            actions.append(request(.power))
        case .ask:
            break
        case .reassert:
            actions.append(.interrupted(failures.nothingHeard()))
            beginAnew(&actions)
        case .reset, .giveUp:
            return end(silent(failures.nothingHeard()), &actions)
        }
        if isInDoubt != (silence.hearing == .inDoubt) {
            isInDoubt.toggle()
            actions.append(.doubt(isInDoubt))
        }
    }

    /// What was counted stands for the instants at which it came.
    private mutating func noteSigns(at now: Double) {
        if signals != seen.signals { silence.heardAnswer(at: now) }
        if tracker.updates != seen.updates { silence.heardReport(at: now) }
        if hasHeardReference { silence.heardReference(at: now) }
        if signals != seen.signals || tracker.updates != seen.updates { askedAt = nil }
        hasHeardReference = false
        seen = (signals, tracker.updates)
    }

    /// bluetoothd answered what it was asked in silence.
    mutating func answeredInSilence() {
        askedAt = nil
        silence.heardAnswer(at: clock)
    }

    /// The source is told apart from one that has failed: it is not believed again before something is heard.
    private func silent(_ error: RadioError) -> RadioError {
        var error = error
        error.code = .silent
        return error
    }

    /// Everything that was asked of bluetoothd is taken back and asked anew.
    mutating func beginAnew(_ actions: inout [Action]) {
        if isMonitorRegistered { actions.append(request(.unregisterMonitor)) }
        if isDiscovering { actions.append(request(.stopDiscovery)) }
        examine(&actions)
    }
}
