package import Beacon
import HCI
import Synchronization

/// Advertises on one controller, from connecting to switching off: one payload, as in the Raspberry Pi recipe, or
/// several that change.
package final class Advertiser: Sendable {
    /// The commands with which advertising begins.
    package enum Manner: Hashable, Sendable {
        /// In an order in which no old payload is ever sent.
        case exact
        /// Octet by octet as the Raspberry Pi guides' hciconfig and hcitool lines do it. Legacy commands only.
        case guides
    }

    private struct State {
        /// What the sets should send, and what they do send; nil for nothing, or unknown.
        var wanted: [Broadcast?]
        var shown: [Broadcast?]
        var family: CommandFamily?
        var address: DeviceAddress?
        var capacity = 1
        var isStopping = false
    }

    private let host: Host
    private let session: ControllerSession
    private let monitor: AdvertiserMonitor
    private let sets: AdvertisingSets
    private let manner: Manner
    private let state: Mutex<State>

    /// - Parameters:
    ///   - name: the source's specification, for messages.
    ///   - broadcast: what the first set sends from the start; nil for nothing yet.
    ///   - sets: the advertising sets that may be used.
    ///   - commandClock: measures the commands' time-outs; nil for `clock`.
    package init(
        transport: any Transport, name: String, broadcast: Broadcast?, sets: AdvertisingSets = .own(),
        manner: Manner = .exact, clock: any Clock<Duration> = SessionThread.clock,
        commandClock: (any Clock<Duration>)? = nil
    ) {
        let now = ControllerSession.stopwatch(clock)
        let monitor = AdvertiserMonitor(handles: Set(sets.handles.map(\.rawValue)), now: now)
        self.monitor = monitor
        self.sets = sets
        self.manner = manner
        let silence = [Broadcast?](repeating: nil, count: sets.handles.count)
        var wanted = silence
        if !wanted.isEmpty { wanted[0] = broadcast }
        state = Mutex(State(wanted: wanted, shown: silence))
        host = Host(transport: transport, name: name, clock: commandClock ?? clock) { packet, _ in
            monitor.receive(packet)
        }
        session = ControllerSession(host: host, clock: clock, now: now)
    }

    /// The controller's public address; nil before the start, or if the controller does not report it.
    package var address: DeviceAddress? { state.withLock { $0.address } }

    /// How many broadcasts there can be at a time; known once it has started.
    package var capacity: Int { state.withLock { $0.capacity } }

    /// How often advertising was restored after another program had changed it.
    package var restorations: Int { monitor.restorations }

    /// While this is true, advertising is not restored after other programs have changed it.
    package func holdRestoring(_ isHeld: Bool) { monitor.hold(isHeld) }

    /// Connects, advertises, and returns when the source has ended or the task is cancelled. Advertising is then
    /// switched off, page and inquiry scan are as they were, and the connection is closed.
    ///
    /// - Parameter started: called once the payload is on the air.
    /// - Throws: when the controller cannot be reached, refuses, hangs, or goes away.
    package func run(started: @Sendable (CommandFamily) async -> Void = { _ in }) async throws(RadioError) {
        let plan = ControllerSession.Plan(
            purpose: "advertise", start: start, refusalLimit: 10, restart: { family in self.again(family) },
            stop: { family in self.stop(family) },
            abandon: { (self.manner == .guides ? [.leSetAdvertisingEnable(false)] : []) + self.formerScanMode },
            admit: { (family) throws(RadioError) in try self.admit(family) })
        try await session.run(plan, watchedBy: monitor) { family in
            await self.askAround(family)
            await started(family)
        }
    }

    /// Changes what a set sends; nil for nothing. It has no effect before the start or after the end.
    ///
    /// - Parameter number: from 0, below `capacity`.
    /// - Throws: if the controller refuses, after which the set sends nothing and is not restored either, or if the
    ///   controller is gone.
    package func show(_ broadcast: Broadcast?, on number: Int) async throws(RadioError) {
        let family = state.withLock { state -> CommandFamily? in
            guard state.wanted.indices.contains(number) else { return nil }
            state.wanted[number] = broadcast
            return state.family
        }
        guard let family else { return }
        do throws(RadioError) {
            _ = try await host.run(
                ControllerProcedure(family: family) { family in self.changes(number, family) }, to: "advertise")
        } catch {
            guard error.code == .refused else { throw error }
            state.withLock { ($0.wanted[number], $0.shown[number]) = (nil, nil) }
            let handle = sets.handles[number]
            _ = try? await host.run(
                ControllerProcedure(family: family) { ControllerProcedure.removeSteps(handle, $0) }, to: "advertise")
            throw error
        }
    }

    // MARK: - The controller's side

    private var start: ControllerProcedure {
        let sharing = host.sharing
        guard manner == .exact else {
            return ControllerProcedure(family: .legacy, sharing: sharing) { _ in
                (sharing == .shared ? [ControllerProcedure.Step(.readScanEnable, isRequired: false)] : [])
                    + self.state.withLock { state in
                        state.shown = state.wanted
                        return state.wanted.first.flatMap { $0 }.map { ControllerProcedure.guideSteps($0.data) } ?? []
                    }
            }
        }
        return ControllerProcedure(sharing: sharing) { family in
            // `admit` then says why nothing was sent.
            guard !(family == .legacy && self.sets.isFirstTaken) else { return [] }
            // This is called again if the first family was refused.
            self.forgetShown()
            return ControllerProcedure.startSteps(self.sets, family, sharing) + self.changes(0, family)
        }
    }

    private func changes(_ number: Int, _ family: CommandFamily) -> [ControllerProcedure.Step] {
        state.withLock { state in
            guard !state.isStopping, number < sets.handles.count, state.wanted[number] != state.shown[number] else {
                return []
            }
            defer { state.shown[number] = state.wanted[number] }
            return ControllerProcedure.changeSteps(
                from: state.shown[number], to: state.wanted[number], on: sets.handles[number], family)
        }
    }

    /// Sends everything again, because another program has changed it.
    private func again(_ family: CommandFamily) -> ControllerProcedure {
        ControllerProcedure(family: family) { family in
            self.forgetShown()
            return self.sets.handles.indices.flatMap { self.changes($0, family) }
        }
    }

    private func forgetShown() {
        state.withLock { $0.shown = Array(repeating: nil, count: $0.shown.count) }
    }

    private func stop(_ family: CommandFamily) -> [Command] {
        let used = state.withLock { state in
            state.isStopping = true
            return state.shown.indices.filter { $0 == 0 || state.shown[$0] != nil }
        }
        return used.flatMap { ControllerProcedure.removeSteps(sets.handles[$0], family).map(\.command) }
            + formerScanMode
    }

    private var formerScanMode: [Command] { monitor.formerScanMode.map { [.writeScanEnable($0)] } ?? [] }

    private func admit(_ family: CommandFamily) throws(RadioError) {
        guard family == .legacy, sets.isFirstTaken else {
            monitor.begin(family)
            return state.withLock { $0.family = family }
        }
        throw RadioError(
            .refused, at: host.name,
            "another beacon-advertise sends with it, and a controller with legacy commands has one advertisement only",
            remedy: "end the other (pgrep -af beacon-advertise), or use another adapter")
    }

    private func askAround(_ family: CommandFamily) async {
        let address = try? await host.execute(.readBDADDR)
        let count = family == .extended ? try? await host.execute(.leReadNumberOfSupportedAdvertisingSets) : nil
        state.withLock { state in
            if let address, address.status == .success {
                state.address = DeviceAddress(returnParameters: address.returnParameters)
            }
            if let count, count.status == .success, let number = count.returnParameters.first {
                state.capacity = max(1, min(sets.handles.count, Int(number)))
            }
        }
    }
}
