import Beacon
import HCI
import Platform
import Synchronization

/// Brings a controller into a state, keeps it there, and cleans up at the end. Scanning and advertising share it.
final class ControllerSession: Sendable {
    private let host: Host
    private let clock: any Clock<Duration>
    /// Seconds since the session was made.
    let now: @Sendable () -> Double
    private let progress = Mutex(Progress())

    private struct Progress {
        /// The family of the last start. A reset may have led to the other one.
        var family = CommandFamily.legacy
        var refusals = RefusalStreak()
    }

    /// - Parameter now: a `stopwatch` of the clock, shared with the monitor.
    init(host: Host, clock: any Clock<Duration>, now: @escaping @Sendable () -> Double) {
        self.host = host
        self.clock = clock
        self.now = now
    }

    /// What a session does, as commands.
    struct Plan: Sendable {
        /// For messages: "cannot …".
        var purpose: String
        /// Brings the controller into the state, from whatever it is in.
        var start: ControllerProcedure
        /// Seconds of refusals after which the session fails. Another program may be in the middle of something, but
        /// the controller may also take no more commands of this family, which only a new session finds out.
        var refusalLimit: Double
        /// The same as `start` for a controller that is already set up.
        var restart: @Sendable (CommandFamily) -> ControllerProcedure
        /// Leaves the state, with the controller as it was found.
        var stop: @Sendable (CommandFamily) -> [Command]
        /// The same after a start that was refused.
        var abandon: @Sendable () -> [Command] = { [] }
        /// Called once the controller is in the state. Throws if it may not stay there.
        var admit: @Sendable (CommandFamily) throws(RadioError) -> Void = { _ in }
    }

    /// Connects, starts, and waits until the source has ended or the task is cancelled; then stops and closes.
    ///
    /// - Parameters:
    ///   - hearingChanged: called when the meaning of silence changes.
    ///   - started: called once the controller is in its state.
    /// - Throws: when the controller cannot be reached, refuses, hangs, or goes away.
    func run(
        _ plan: Plan, watchedBy monitor: any SessionMonitor,
        hearingChanged: @escaping @Sendable (Hearing) -> Void = { _ in },
        started: @Sendable (CommandFamily) async -> Void
    ) async throws(RadioError) {
        do throws(RadioError) {
            try await host.open()
            monitor.starting()
            let family = try await begin(plan)
            progress.withLock { $0.family = family }
            monitor.started(at: now())
            let hearing = monitor.hearing
            hearingChanged(hearing)
            await started(family)
            let end = await firstEnd(
                Watch(
                    plan: plan, monitor: monitor, reportedHearing: hearing, hearingChanged: hearingChanged))
            if Self.answers(after: end) { await send(plan.stop(currentFamily)) }
            await host.close()
            if case .failed(let error) = end { throw error }
        } catch {
            hearingChanged(.blind)
            await host.close()
            throw error
        }
    }

    /// Brings the controller into the state. After a refusal it is as it was found.
    private func begin(_ plan: Plan) async throws(RadioError) -> CommandFamily {
        do throws(RadioError) {
            let family = try await host.run(plan.start, to: plan.purpose)
            try plan.admit(family)
            return family
        } catch {
            if error.code == .refused { await send(plan.abandon()) }
            throw error
        }
    }

    /// Whether the controller still answers, so that it can be left as it was found.
    private static func answers(after end: Host.End?) -> Bool {
        switch end {
        case nil: true
        case .failed(let error): error.code == .refused
        case .some: false
        }
    }

    private var currentFamily: CommandFamily { progress.withLock { $0.family } }

    private struct Watch: Sendable {
        var plan: Plan
        var monitor: any SessionMonitor
        /// What `hearingChanged` was last called with.
        var reportedHearing: Hearing
        var hearingChanged: @Sendable (Hearing) -> Void
    }

    /// Sends commands even if the task is cancelled, because the controller needs them.
    private func send(_ commands: [Command]) async {
        let host = host
        await Task {
            await host.semaphore.wait()
            defer { host.semaphore.signal() }
            for command in commands { _ = try? await host.execute(command) }
        }.value
    }

    /// The first of these: the transport's end, a failure to keep the controller running, cancellation (nil).
    private func firstEnd(_ watch: Watch) async -> Host.End? {
        await withTaskGroup(of: Host.End?.self) { group in
            group.addTask(executorPreference: SessionThread.executor) { await self.keep(watch) }
            group.addTask { await self.endOrCancellation() }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private func endOrCancellation() async -> Host.End? {
        let (ends, continuation) = AsyncStream.makeStream(of: Host.End.self)
        let host = host
        // Not a child task: `ended` cannot be cancelled. It returns at the latest when `run` closes the host.
        Task { continuation.yield(await host.ended()) }
        for await end in ends { return end }
        return nil
    }

    /// Seconds between two checks of the monitor.
    private static let pauses = 0.25...60.0

    /// Carries out the monitor's actions, until one fails or the task is cancelled.
    private func keep(_ watch: Watch) async -> Host.End? {
        var hearing = watch.reportedHearing
        if watch.monitor.hearing != hearing { watch.monitor.pause.end() }
        while true {
            // At least the lower bound: the monitor may not have seen the last command's answer yet.
            let rest = min(max(watch.monitor.due - now(), Self.pauses.lowerBound), Self.pauses.upperBound)
            await watch.monitor.pause.wait(for: .seconds(rest), by: clock)
            if Task.isCancelled { return nil }
            let action = watch.monitor.action(at: now())
            if watch.monitor.hearing != hearing {
                hearing = watch.monitor.hearing
                watch.hearingChanged(hearing)
            }
            do throws(RadioError) {
                try await perform(action, watch)
            } catch {
                return Task.isCancelled ? nil : .failed(error)
            }
        }
    }

    private func perform(_ action: SilenceWatch.Action, _ watch: Watch) async throws(RadioError) {
        switch action {
        case .none:
            break
        case .ask:
            host.took(.ask)
            _ = try await host.execute(.readBDADDR)
        case .reassert:
            host.took(.restart)
            try await rerun(watch.plan.restart(currentFamily), watch)
        case .reset:
            host.took(.reset)
            try await rerun(watch.plan.start, watch)
        case .giveUp:
            host.took(.reopen)
            throw RadioError(
                .silent, at: host.name, "nothing was received for a long time, and a reset did not help",
                remedy: "the adapter may be broken, or its antenna covered; it is opened again")
        }
    }

    private func rerun(_ procedure: ControllerProcedure, _ watch: Watch) async throws(RadioError) {
        watch.monitor.starting()
        let family: CommandFamily
        do throws(RadioError) {
            family = try await host.run(procedure, to: watch.plan.purpose)
        } catch where error.code == .refused {
            let now = now()
            watch.monitor.refused(at: now)
            let seconds = progress.withLock { $0.refusals.refused(at: now) }
            guard seconds < watch.plan.refusalLimit else { throw error }
            return
        }
        if family != currentFamily { try watch.plan.admit(family) }
        progress.withLock { progress in
            progress.family = family
            progress.refusals.accepted()
        }
        watch.monitor.started(at: now())
    }

    /// Seconds since the call.
    static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Double {
        let start = clock.now
        return {
            let (seconds, attoseconds) = start.duration(to: clock.now).components
            return Double(seconds) + Double(attoseconds) / 1e18
        }
    }
}
