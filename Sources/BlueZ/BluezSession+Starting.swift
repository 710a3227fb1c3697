import Beacon
import Bus
import Radio

/// Handles answers: examines the adapter, and makes bluetoothd listen.
extension BluezSession {
    mutating func answered(
        _ request: BluezRequest, _ result: Result<BusMessage, BusError>, at time: Timestamp?,
        _ actions: inout [Action]
    ) {
        if phase == .leaving {
            guard leaveRequests.remove(request.kind) != nil, leaveRequests.isEmpty else { return }
            return end(nil, &actions)
        }
        if case .watch = request.kind {
            if case .failure(let error) = result { end(failures.failure(of: request.kind, error), &actions) }
            return
        }
        guard request.generation == generation else { return answeredLate(request, result, &actions) }
        if request.kind == .power { return answeredInSilence() }
        switch (request.kind, result) {
        case (.objects, .success(let answer)) where phase == .examining:
            daemon = answer.sender
            examined(answer.body.first ?? .properties([:]), at: time, &actions)
        case (.objects, .failure(let error)) where phase == .examining:
            examinationFailed(error, &actions)
        case (.registerMonitor, .success) where phase == .starting(.discovery) || phase == .listening(.discovery):
            // It took too long, and discovery has taken its place.
            actions.append(self.request(.unregisterMonitor))
        case (.registerMonitor, .success):
            // Activate, which reports that the monitor listens, may have come before.
            isMonitorRegistered = true
        case (.registerMonitor, .failure(let error)) where phase == .starting(.monitor):
            fallBack(error, &actions)
        case (.setDiscoveryFilter, .success), (.setDiscoveryFilter, .failure):
            // Without the filter fewer advertisements are received, but some are. A reason to give up comes with the
            // next answer as well.
            break
        case (.startDiscovery, _):
            discoveryAnswered(result, &actions)
        default:
            break
        }
    }

    /// What bluetoothd has begun for an earlier request is undone: bluetoothd keeps it as long as the connection is
    /// open. Until the answer bluetoothd refuses to undo it. If the same was requested again meanwhile, bluetoothd has
    /// refused that, and it is tried again or done without. What is in use now stays: Activate may have come first.
    private func answeredLate(
        _ request: BluezRequest, _ result: Result<BusMessage, BusError>, _ actions: inout [Action]
    ) {
        // One that has ended keeps nothing.
        guard case .success(let answer) = result, daemon != nil, answer.sender == daemon else { return }
        switch request.kind {
        case .registerMonitor where !isListening || !isMonitorRegistered:
            actions.append(self.request(.unregisterMonitor))
        case .startDiscovery where !isListening || !isDiscovering:
            actions.append(self.request(.stopDiscovery))
        default: break
        }
    }

    private mutating func discoveryAnswered(_ result: Result<BusMessage, BusError>, _ actions: inout [Action]) {
        switch (result, phase) {
        case (.success, .starting(let method)):
            isDiscovering = true
            listening(method, &actions)
        case (.success, _):
            isDiscovering = true
            if lacksDiscovery { listening(.combined, &actions) }
        case (.failure(let error), .starting(let method)):
            discoveryFailed(method, error, &actions)
        case (.failure, _):
            if lacksDiscovery, !isReleaseDue { actions.append(wait(.retry, limits.laterRetry)) }
        }
    }

    // MARK: - The adapter

    private mutating func examined(_ objects: BusValue, at time: Timestamp?, _ actions: inout [Action]) {
        guard let adapter = objects[adapterPath]?[BluezNames.adapter] else {
            return missing(failures.noAdapter(present: Self.adapters(in: objects)), &actions)
        }
        guard adapter["Powered"]?.boolean != false else {
            let isBlocked = adapter["PowerState"]?.text == "off-blocked"
            return missing(failures.poweredOff(address: adapter["Address"]?.text, isBlocked: isBlocked), &actions)
        }
        guard case .listen(let wanted) = goal else { return end(nil, &actions) }
        let devices = (objects.entries ?? [:]).compactMap { path, interfaces in
            path.text.flatMap { path in interfaces[BluezNames.device].map { (path, $0) } }
        }
        // A level in the list may be old, so it does not end a silence. The next announcement does. In a later list
        // of the same bluetoothd, also to a later session, it is no news either: it was announced, or is left of a
        // discovery that is ending or that is another program's. It is new if it was announced since the question.
        let isNews = listedBy != daemon
        listedBy = daemon
        for (path, properties) in devices.sorted(by: { $0.0 < $1.0 }) {
            let isAnnounced = announced.contains(path)
            let received = tracker.receptions
            let sighting = tracker.appeared(path, properties, isHeard: isNews || isAnnounced, at: time)
            if !isAnnounced { seen.receptions += tracker.receptions - received }
            if let sighting { actions.append(.sighting(sighting)) }
        }
        announced = []
        start(wanted ?? method(for: objects[adapterPath]?[BluezNames.monitorManager]), &actions)
    }

    private static func adapters(in objects: BusValue) -> [String] {
        (objects.entries ?? [:]).compactMap { path, interfaces in
            interfaces[BluezNames.adapter] == nil ? nil : path.text?.split(separator: "/").last.map(String.init)
        }.sorted()
    }

    private func method(for manager: BusValue?) -> Method {
        guard let manager, releases < 3 else { return .discovery }
        guard let types = manager["SupportedMonitorTypes"]?.elements else { return .combined }
        return types.contains(.string("or_patterns")) ? .combined : .discovery
    }

    /// bluetoothd, the adapter or its power is missing. At first this is an error; after a restart the session waits
    /// for it.
    private mutating func missing(_ error: RadioError, _ actions: inout [Action]) {
        guard isFollowing || goal == .presence else { return end(error, &actions) }
        phase = .waiting
        pendingError = error
        if alarm == nil, goal != .presence { actions.append(wait(.startTimeout, limits.startTimeout)) }
    }

    private mutating func examinationFailed(_ error: BusError, _ actions: inout [Action]) {
        let failure = failures.failure(of: .objects, error)
        switch failure.code {
        case .cannotOpen: missing(failure, &actions)
        // bluetoothd may have ended before it answered. A signal then reports that.
        case .timedOut where isFollowing || goal == .presence: doubt(failure, &actions)
        default: end(failure, &actions)
        }
    }

    // MARK: - Listening

    private mutating func start(_ method: Method, _ actions: inout [Action]) {
        wanted = method
        switch method {
        case .monitor, .combined:
            phase = .starting(.monitor)
            actions += [request(.registerMonitor), wait(.activation, limits.activation)]
        case .discovery:
            startDiscovery(.discovery, &actions)
        }
    }

    /// Handles the activation of the monitor.
    mutating func activated(_ actions: inout [Action]) {
        isMonitorRegistered = true
        if wanted == .combined {
            startDiscovery(.combined, &actions)
        } else {
            listening(.monitor, &actions)
        }
    }

    private mutating func startDiscovery(_ method: Method, _ actions: inout [Action]) {
        phase = .starting(method)
        attempts = 1
        alarm = nil
        hasLevelInFilter = false
        actions += [request(.setDiscoveryFilter()), request(.startDiscovery)]
    }

    private mutating func listening(_ method: Method, _ actions: inout [Action]) {
        phase = .listening(method)
        isFollowing = true
        pendingError = nil
        askedAt = nil
        // After a doubtful silence, listening has begun only when something is received.
        if silence.hearing != .blind {
            silence.heardReport(at: clock)
            actions.append(.started(method))
        }
        guard !isReleaseDue else { return }
        alarm = nil
        if method == .discovery { actions.append(wait(.refresh, limits.refresh)) }
        if lacksDiscovery { actions.append(wait(.retry, limits.laterRetry)) }
    }

    /// Only the monitor listens, and the discovery beside it is still wanted.
    var lacksDiscovery: Bool { phase == .listening(.monitor) && wanted == .combined }

    /// The monitor was released, and everything is requested again within moments. Until then these steps may set no
    /// other alarm, because only the last one counts.
    private var isReleaseDue: Bool { alarm?.reason == .release }

    /// Without a monitor the kernel scans with the controller's duplicate filter on, whatever DuplicateData says. A
    /// changed filter makes bluetoothd restart the scan, and every beacon is reported once more.
    mutating func refresh(_ actions: inout [Action]) {
        hasLevelInFilter.toggle()
        // No level is below this one.
        let level: Int16? = hasLevelInFilter ? -127 : nil
        actions += [request(.setDiscoveryFilter(level: level)), wait(.refresh, limits.refresh)]
    }

    /// Continues without the monitor if it cannot be used: discovery is always possible.
    mutating func fallBack(_ error: BusError, _ actions: inout [Action]) {
        if case .listen(.some) = goal { return end(failures.failure(of: .registerMonitor, error), &actions) }
        if error.name == .accessDenied { return end(failures.forbidden(error), &actions) }
        if isMonitorRegistered { actions.append(request(.unregisterMonitor)) }
        isMonitorRegistered = false
        start(.discovery, &actions)
    }

    private mutating func discoveryFailed(_ method: Method, _ error: BusError, _ actions: inout [Action]) {
        if error.name.rawValue == "org.bluez.Error.InProgress", attempts < limits.attempts {
            attempts += 1
            if !isReleaseDue { actions.append(wait(.retry, limits.retry)) }
            return
        }
        let failure = failures.failure(of: .startDiscovery, error)
        if method == .combined, failure.code == .refused, goal == .listen() {
            // Other programs may use the adapter in a way that leaves no room for a discovery.
            listening(.monitor, &actions)
        } else {
            end(failure, &actions)
        }
    }
}
