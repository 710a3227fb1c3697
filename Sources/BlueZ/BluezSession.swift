package import Beacon
package import Bus
package import Radio

/// Hearing iBeacons through bluetoothd, from the first word with the bus to a clean end: a pure state machine. What
/// happens goes in with the time of its arrival, what is to be done comes out.
///
/// It asks for signals and for bluetoothd's objects, checks the adapter, makes bluetoothd listen in the best way that
/// it offers, and turns what it announces into sightings. When bluetoothd ends it waits for the next one.
package struct BluezSession: Sendable {
    /// How bluetoothd is made to listen.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        /// A discovery beside an advertisement monitor: the monitor makes the kernel switch the controller's duplicate
        /// filter off, and the discovery makes bluetoothd announce every advertisement. Scans actively.
        case combined
        /// An advertisement monitor alone: scans passively, and bluetoothd announces large changes of level only.
        case monitor
        /// A discovery alone, where monitors are not offered: the controller tells every sender once in a scan, so the
        /// scan is begun anew all the time. Scans actively.
        case discovery

        /// What cannot be known when this is used; of interest to whoever looks at rates or at silence.
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

    /// What it is for.
    package enum Goal: Hashable, Sendable {
        /// Sightings, until stopped. With a method, only that one is tried; else the best that bluetoothd offers.
        case listen(Method? = nil)
        /// The end comes when the adapter is there and powered on; what is missing until then is waited for.
        case presence
    }

    package enum Input: Sendable {
        /// The connection to the bus stands.
        case connected
        /// A signal or a call.
        case message(BusMessage)
        case reply(BluezRequest, Result<BusMessage, BusError>)
        /// The time of an alarm has come.
        case alarm(Alarm)
        /// Time goes on: seconds on any clock that only goes forward, about once a second.
        case tick(Double)
        /// Listen no longer, leave everything in order.
        case stop
    }

    package enum Action: Hashable, Sendable {
        case call(BluezRequest)
        /// An answer to somebody's call.
        case send(BusMessage)
        case sighting(Sighting)
        /// Listening has begun, for the first time or again.
        case started(Method)
        /// Nothing is heard for now; it goes on by itself, or ends with an error soon.
        case interrupted(RadioError)
        /// Nothing was heard for a while, and bluetoothd was asked whether it lives; or it has answered.
        case doubt(Bool)
        /// Come back with this after a while.
        case wait(Alarm, Duration)
        /// It is over: cleanly (nil) or by an error. The last action.
        case end(RadioError?)
    }

    /// A time to wait for. Only the one that was asked for last counts.
    package struct Alarm: Hashable, Sendable {
        enum Reason: Hashable, Sendable {
            /// bluetoothd did not come back, or the adapter not with it.
            case startTimeout
            /// Something went away, and it was not all of bluetoothd.
            case doubt
            /// The monitor was taken away, and nothing else went with it.
            case release
            /// The monitor was not activated.
            case activation
            /// Discovery was busy.
            case retry
            /// The scan of a discovery alone is to begin anew.
            case refresh
            /// Taking leave takes too long.
            case leave
        }

        var reason: Reason
        var number: Int
    }

    /// How long things may take.
    package struct Limits: Hashable, Sendable {
        /// Until bluetoothd, its adapter and its power are back after a restart.
        package var startTimeout: Duration = .seconds(10)
        /// Until it is clear whether a monitor or an adapter went alone, or bluetoothd with it.
        package var doubt: Duration = .seconds(1)
        /// Until a registered monitor must be active.
        package var activation: Duration = .seconds(3)
        /// Between attempts to start a discovery while bluetoothd is busy, and how many there are: the kernel keeps the
        /// discovery of a bluetoothd that was killed for ten seconds.
        package var retry: Duration = .seconds(1)
        package var attempts = 15
        /// Between later attempts, while the monitor alone listens.
        package var laterRetry: Duration = .seconds(10)
        /// Between the scans of a discovery alone: about how often a beacon is heard then.
        package var refresh: Duration = .seconds(1)
        /// For taking leave.
        package var leave: Duration = .seconds(2)

        package init() {}
    }

    enum Phase: Hashable, Sendable {
        case connecting
        /// bluetoothd's objects were asked for.
        case examining
        /// For bluetoothd, the adapter or its power.
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
    var generation = 0
    /// bluetoothd has come or gone since the beginning, so that what is missing may still come.
    var isFollowing = false
    /// Why nothing is heard.
    var pendingError: RadioError?
    var alarm: Alarm?
    var alarmNumber = 0
    var attempts = 0
    /// How often this bluetoothd has taken a monitor away without need.
    var releases = 0
    /// What is being set up.
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
    /// When bluetoothd was asked for a sign of life that has not come.
    var askedAt: Double?
    /// The doubt that was told last.
    var isInDoubt = false
    /// What had been counted at the last tick.
    var seen = (signals: 0, updates: 0)
    /// The devices and what is known of them.
    package internal(set) var tracker: DeviceTracker
    /// Signals from bluetoothd so far.
    package internal(set) var signals = 0
    /// Sightings so far.
    package private(set) var sightings = 0

    package init(
        adapter index: UInt16, source: SourceID = 0, goal: Goal = .listen(), limits: Limits = Limits(),
        silence: SilenceWatch.Settings = SilenceWatch.Settings()
    ) {
        self.goal = goal
        self.silence = SilenceWatch(settings: silence, now: 0)
        references = silence.references
        self.limits = limits
        adapterPath = BluezNames.path(ofAdapter: index)
        failures = BluezFailure(adapter: index)
        tracker = DeviceTracker(adapterPath: adapterPath, source: source)
    }

    /// Takes in what has happened at `time` and returns what is to be done, in this order.
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
            // It is there again; bluetoothd's answer says more.
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
