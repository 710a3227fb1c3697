import Beacon
import Radio

/// Handles silence as with a controller: first bluetoothd is asked something harmless, then it is made to listen
/// again, and then the connection is replaced.
extension BluezSession {
    /// The limit in seconds for bluetoothd's answer during silence.
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
        let isNowInDoubt = silence.hearing == .inDoubt
        guard isInDoubt != isNowInDoubt else { return }
        isInDoubt = isNowInDoubt
        // A doubt that ends in blindness was reported as an interruption.
        if silence.hearing != .blind { actions.append(.doubt(isInDoubt)) }
    }

    /// What was counted since the last tick counts as received now.
    private mutating func noteSigns(at now: Double) {
        if signals != seen.signals { silence.heardAnswer(at: now) }
        if tracker.receptions != seen.receptions { silence.heardReport(at: now) }
        if hasHeardReference { silence.heardReference(at: now) }
        if signals != seen.signals || tracker.receptions != seen.receptions { askedAt = nil }
        hasHeardReference = false
        seen = (signals, tracker.receptions)
    }

    /// bluetoothd has answered the question that was asked during silence.
    mutating func answeredInSilence() {
        askedAt = nil
        silence.heardAnswer(at: clock)
    }

    /// Marks the source as silent rather than failed: it counts as blind until something is received.
    private func silent(_ error: RadioError) -> RadioError {
        var error = error
        error.code = .silent
        return error
    }

    /// Undoes all requests to bluetoothd and makes them again.
    mutating func beginAnew(_ actions: inout [Action]) {
        if isMonitorRegistered { actions.append(request(.unregisterMonitor)) }
        if isDiscovering { actions.append(request(.stopDiscovery)) }
        examine(&actions)
    }
}
