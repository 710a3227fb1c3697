package import Beacon
package import Bus
package import Radio

/// Receives iBeacons through bluetoothd, from the first contact with the bus to a clean end: a pure state machine. It
/// takes inputs with the time of their arrival, and returns actions.
///
/// It asks for signals and for bluetoothd's objects, checks the adapter, makes bluetoothd listen in the best way that
/// it offers, and turns its announcements into sightings. When bluetoothd ends, it waits for the next one.
package struct BluezSession: Sendable {
    /// How bluetoothd is made to listen.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        /// A discovery together with an advertisement monitor. The monitor makes the kernel switch off the
        /// controller's duplicate filter, and the discovery makes bluetoothd announce every advertisement. Scans
        /// actively.
        case combined
        /// An advertisement monitor alone: scans passively, and bluetoothd announces only large changes of level.
        case monitor
        /// A discovery alone, if monitors are not offered. The controller reports every sender only once per scan, so
        /// the scan is restarted all the time. Scans actively.
        case discovery

        /// What cannot be known with this method; it matters for rates and for silence.
        package var limitation: String {
            switch self {
            case .combined:
                "through bluetoothd, advertisements that come close together are reported as one: the real advertising "
                    + "rate may be higher"
            case .monitor:
                "bluetoothd tells a known beacon's level only when it has changed by 8 dB or more: the real "
                    + "advertising rate is not known, and silence does not mean that a beacon has left"
            case .discovery:
                "bluetoothd offers no advertisement monitors, so that a beacon is reported about once a second "
                    + "whatever its real advertising rate; more comes with Experimental = true in "
                    + "/etc/bluetooth/main.conf"
            }
        }
    }

    /// The goal of the session.
    package enum Goal: Hashable, Sendable {
        /// Sightings, until stopped. With a method, only that one is tried; otherwise the best one that bluetoothd
        /// offers.
        case listen(Method? = nil)
        /// Ends when the adapter is present and powered on. Waits for what is missing until then.
        case presence
    }

    package enum Input: Sendable {
        /// The connection to the bus is ready.
        case connected
        /// A signal or a call.
        case message(BusMessage)
        case reply(BluezRequest, Result<BusMessage, BusError>)
        /// An alarm is due.
        case alarm(Alarm)
        /// The current time: seconds on any clock that only goes forward, about once a second.
        case tick(Double)
        /// Stop listening, and undo everything.
        case stop
    }

    package enum Action: Hashable, Sendable {
        case call(BluezRequest)
        /// An answer to another program's call.
        case send(BusMessage)
        case sighting(Sighting)
        /// Listening has begun, for the first time or again.
        case started(Method)
        /// Nothing is received for now. This recovers by itself, or ends with an error soon.
        case interrupted(RadioError)
        /// Nothing was received for a while, and bluetoothd was asked for an answer (true); or it has answered
        /// (false).
        case doubt(Bool)
        /// Pass in this alarm after a while.
        case wait(Alarm, Duration)
        /// The session has ended: cleanly (nil) or with an error. The last action.
        case end(RadioError?)
    }

    /// A time to wait for. Only the one that was requested last counts.
    package struct Alarm: Hashable, Sendable {
        enum Reason: Hashable, Sendable {
            /// bluetoothd did not come back, or came back without the adapter.
            case startTimeout
            /// An object has disappeared, but bluetoothd has not ended.
            case doubt
            /// The monitor was released, and nothing else disappeared.
            case release
            /// The monitor was not activated.
            case activation
            /// Discovery was busy.
            case retry
            /// The scan of a discovery alone must be restarted.
            case refresh
            /// The clean end takes too long.
            case leave
        }

        var reason: Reason
        var number: Int
    }

    /// The time limits.
    package struct Limits: Hashable, Sendable {
        /// Until bluetoothd, its adapter and its power must be back after a restart.
        package var startTimeout: Duration = .seconds(10)
        /// Until it is clear whether only a monitor or an adapter has disappeared, or bluetoothd has ended.
        package var doubt: Duration = .seconds(1)
        /// Until a registered monitor must be active.
        package var activation: Duration = .seconds(3)
        /// Between attempts to start a discovery while bluetoothd is busy, and the number of attempts. The kernel
        /// keeps the discovery of a killed bluetoothd for ten seconds.
        package var retry: Duration = .seconds(1)
        package var attempts = 15
        /// Between later attempts, while the monitor alone listens.
        package var laterRetry: Duration = .seconds(10)
        /// Between the scans of a discovery alone; a beacon is then received about this often.
        package var refresh: Duration = .seconds(1)
        /// For the clean end.
        package var leave: Duration = .seconds(2)

        package init() {}
    }

    enum Phase: Hashable, Sendable {
        case connecting
        /// bluetoothd was asked for its objects.
        case examining
        /// Waits for bluetoothd, the adapter or its power.
        case waiting
        /// A monitor or a discovery is being set up.
        case starting(Method)
        case listening(Method)
        case leaving
        case ended
    }

    let goal: Goal
    let adapterPath: String
    let limits: Limits
    let failures: BluezFailure
    var phase = Phase.connecting
    /// bluetoothd's unique name on the bus.
    var daemon: String?
    /// The bluetoothd whose devices were read, by its unique name on the bus. The next session is told of it.
    package internal(set) var listedBy: String?
    /// The devices that were announced while bluetoothd was asked for its objects.
    var announced: Set<String> = []
    var generation = 0
    /// bluetoothd has started or ended at least once, so what is missing may still come.
    var isFollowing = false
    /// Why nothing is received.
    var pendingError: RadioError?
    var alarm: Alarm?
    var alarmNumber = 0
    var attempts = 0
    /// How often this bluetoothd has released a monitor without need.
    var releases = 0
    /// The method that is being set up.
    var wanted = Method.combined
    var isMonitorRegistered = false
    var isDiscovering = false
    var hasLevelInFilter = false
    var leaveRequests: Set<BluezRequest.Kind> = []
    var silence: SilenceWatch
    private let references: Set<BeaconID>
    var hasHeardReference = false
    /// The last tick.
    var clock = 0.0
    /// When bluetoothd was asked a question that it has not answered.
    var askedAt: Double?
    /// The doubt that was reported last.
    var isInDoubt = false
    /// The counts at the last tick.
    var seen = (signals: 0, receptions: 0)
    /// The known devices.
    package internal(set) var tracker: DeviceTracker
    /// Signals from bluetoothd so far.
    package internal(set) var signals = 0
    /// Sightings so far.
    package private(set) var sightings = 0

    /// - Parameter listedBy: the bluetoothd whose devices an earlier session has read.
    package init(
        adapter index: UInt16, source: SourceID = 0, goal: Goal = .listen(), limits: Limits = Limits(),
        silence: SilenceWatch.Settings = SilenceWatch.Settings(), listedBy: String? = nil
    ) {
        self.goal = goal
        self.listedBy = listedBy
        self.silence = SilenceWatch(settings: silence, now: 0)
        references = silence.references
        self.limits = limits
        adapterPath = BluezNames.path(ofAdapter: index)
        failures = BluezFailure(adapter: index)
        tracker = DeviceTracker(adapterPath: adapterPath, source: source)
    }

    /// Handles an input that arrived at `time`, and returns the actions in their order.
    package mutating func handle(_ input: Input, at time: Timestamp?) -> [Action] {
        guard phase != .ended else { return [] }
        var actions: [Action] = []
        switch input {
        case .connected: examineAll(&actions)
        case .message(let message): take(message, at: time, &actions)
        case .reply(let request, let result): answered(request, result, at: time, &actions)
        case .alarm(let alarm): rang(alarm, &actions)
        case .tick(let now): tick(at: now, &actions)
        case .stop: leave(&actions)
        }
        for case .sighting(let sighting) in actions {
            sightings += 1
            if references.contains(sighting.beacon.id) { hasHeardReference = true }
        }
        return actions
    }

    // MARK: - Pieces that every part uses

    func request(_ kind: BluezRequest.Kind) -> Action {
        .call(BluezRequest(kind: kind, generation: generation, adapterPath: adapterPath))
    }

    mutating func wait(_ reason: Alarm.Reason, _ duration: Duration) -> Action {
        alarmNumber += 1
        let alarm = Alarm(reason: reason, number: alarmNumber)
        self.alarm = alarm
        return .wait(alarm, duration)
    }

    mutating func end(_ error: RadioError?, _ actions: inout [Action]) {
        phase = .ended
        actions.append(.end(error))
    }

    // MARK: - Beginning and end

    private mutating func examineAll(_ actions: inout [Action]) {
        actions += BluezRequest.rules(adapterPath: adapterPath).map { request(.watch($0)) }
        examine(&actions)
    }

    mutating func examine(_ actions: inout [Action]) {
        phase = .examining
        generation += 1
        tracker.removeAll()
        announced = []
        isMonitorRegistered = false
        isDiscovering = false
        actions.append(request(.objects))
    }

    private mutating func leave(_ actions: inout [Action]) {
        guard phase != .leaving else { return }
        phase = .leaving
        leaveRequests = []
        if isMonitorRegistered { leaveRequests.insert(.unregisterMonitor) }
        if isDiscovering { leaveRequests.insert(.stopDiscovery) }
        guard !leaveRequests.isEmpty else { return end(nil, &actions) }
        for kind in [BluezRequest.Kind.unregisterMonitor, .stopDiscovery] where leaveRequests.contains(kind) {
            actions.append(request(kind))
        }
        actions.append(wait(.leave, limits.leave))
    }

    private mutating func rang(_ alarm: Alarm, _ actions: inout [Action]) {
        guard alarm == self.alarm else { return }
        self.alarm = nil
        switch alarm.reason {
        case .doubt where phase == .examining:
            // The adapter is back; bluetoothd's answer says more.
            break
        case .startTimeout, .doubt:
            end(pendingError ?? failures.daemonSilent(), &actions)
        case .release:
            releases += 1
            beginAnew(&actions)
        case .activation where phase == .starting(.monitor):
            fallBack(BusError(.noReply, "the monitor was not activated"), &actions)
        case .retry where phase == .starting(.discovery) || phase == .starting(.combined) || lacksDiscovery:
            actions.append(request(.startDiscovery))
        case .refresh where phase == .listening(.discovery):
            refresh(&actions)
        case .leave:
            end(nil, &actions)
        case .activation, .retry, .refresh:
            break
        }
    }
}
