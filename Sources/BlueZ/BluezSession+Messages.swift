import Beacon
import Bus
import Radio

/// Signals and calls from bluetoothd and from the bus.
extension BluezSession {
    mutating func take(_ message: BusMessage, at time: Timestamp?, _ actions: inout [Action]) {
        let isFromDaemon = daemon != nil && message.sender == daemon
        switch (message.kind, message.interface, message.member) {
        case (.call, _, _):
            let (answer, event) = AdvertisementMonitor.answer(message, isFromDaemon: isFromDaemon)
            if !message.wantsNoReply { actions.append(.send(answer)) }
            if let event { take(event, at: time, &actions) }
        case (.signal, BluezNames.bus, "NameOwnerChanged") where message.sender == BluezNames.bus:
            guard message.body.count == 3, message.body[0].text == BluezNames.service else { return }
            ownerChanged(to: message.body[2].text, &actions)
        case (.signal, BluezNames.objectManager, "InterfacesAdded") where isFromDaemon && message.body.count == 2:
            signals += 1
            appeared(message.body[0].text ?? "", message.body[1], at: time, &actions)
        case (.signal, BluezNames.objectManager, "InterfacesRemoved") where isFromDaemon && message.body.count == 2:
            signals += 1
            removed(message.body[0].text ?? "", message.body[1].elements?.compactMap(\.text) ?? [], &actions)
        case (.signal, BluezNames.properties, "PropertiesChanged") where isFromDaemon && message.body.count >= 2:
            signals += 1
            changed(message, at: time, &actions)
        default:
            break
        }
    }

    // MARK: - The monitor

    private mutating func take(
        _ event: AdvertisementMonitor.Event, at time: Timestamp?, _ actions: inout [Action]
    ) {
        switch event {
        case .activated where phase == .starting(.monitor):
            activated(&actions)
        case .released where phase == .starting(.monitor):
            isMonitorRegistered = true
            fallBack(BusError(.disconnected, "the monitor was released"), &actions)
        case .released where isListening && isMonitorRegistered:
            // The reason may be the adapter, its power or the end of bluetoothd. It is reported within moments.
            actions.append(wait(.release, limits.doubt))
        case .found(let path):
            guard isListening, let sighting = tracker.found(path, at: time) else { return }
            actions.append(.sighting(sighting))
        case .lost(let path):
            tracker.lost(path)
        case .activated, .released:
            break
        }
    }

    var isListening: Bool {
        switch phase {
        case .starting, .listening: true
        default: false
        }
    }

    // MARK: - bluetoothd comes and goes

    private mutating func ownerChanged(to owner: String?, _ actions: inout [Action]) {
        guard phase != .leaving, phase != .connecting else { return }
        isFollowing = true
        releases = 0
        guard let owner, !owner.isEmpty else {
            daemon = nil
            generation += 1
            tracker.removeAll()
            isMonitorRegistered = false
            isDiscovering = false
            return lost(failures.daemonEnded(), &actions)
        }
        guard owner != daemon else { return }
        daemon = owner
        examine(&actions)
    }

    private mutating func lost(_ error: RadioError, _ actions: inout [Action]) {
        let wasKnown = phase == .waiting && pendingError != nil
        phase = .waiting
        pendingError = error
        if goal != .presence { actions.append(wait(.startTimeout, limits.startTimeout)) }
        if !wasKnown { actions.append(.interrupted(error)) }
    }

    /// An object has disappeared. If bluetoothd has ended, that is reported within moments.
    mutating func doubt(_ error: RadioError, _ actions: inout [Action]) {
        phase = .waiting
        generation += 1
        tracker.removeAll()
        pendingError = error
        guard goal != .presence else { return }
        actions += [.interrupted(error), wait(.doubt, limits.doubt)]
    }

    // MARK: - Objects

    private mutating func appeared(
        _ path: String, _ interfaces: BusValue, at time: Timestamp?, _ actions: inout [Action]
    ) {
        if path == adapterPath, interfaces[BluezNames.adapter] != nil, phase == .waiting {
            return examine(&actions)
        }
        guard let properties = interfaces[BluezNames.device] else { return }
        noteAnnounced(path, properties)
        guard isListening, let sighting = tracker.appeared(path, properties, at: time) else { return }
        actions.append(.sighting(sighting))
    }

    private mutating func removed(_ path: String, _ interfaces: [String], _ actions: inout [Action]) {
        if path == adapterPath, interfaces.contains(BluezNames.adapter), isListening {
            return doubt(failures.adapterRemoved(), &actions)
        }
        if interfaces.contains(BluezNames.device) { tracker.removed(path) }
    }

    private mutating func changed(_ message: BusMessage, at time: Timestamp?, _ actions: inout [Action]) {
        guard let path = message.path, let interface = message.body[0].text else { return }
        if path == adapterPath, interface == BluezNames.adapter {
            return adapterChanged(message.body[1], &actions)
        }
        guard interface == BluezNames.device else { return }
        noteAnnounced(path, message.body[1])
        guard isListening else { return }
        let invalidated = message.body.count > 2 ? message.body[2].elements ?? [] : []
        guard let sighting = tracker.changed(path, message.body[1], invalidated: invalidated, at: time) else { return }
        actions.append(.sighting(sighting))
    }

    /// What is announced while bluetoothd is asked for its objects is not told at once: the answer has it, too.
    private mutating func noteAnnounced(_ path: String, _ properties: BusValue) {
        guard phase == .examining, DeviceTracker.isReception(properties), tracker.isDevice(path),
            announced.count < DeviceTracker.capacity
        else { return }
        announced.insert(path)
    }

    private mutating func adapterChanged(_ properties: BusValue, _ actions: inout [Action]) {
        guard let isPowered = properties["Powered"]?.boolean else { return }
        if isPowered, phase == .waiting {
            examine(&actions)
        } else if !isPowered, isListening {
            let isBlocked = properties["PowerState"]?.text == "off-blocked"
            var error = failures.poweredOff(address: nil, isBlocked: isBlocked)
            error.code = .disconnected
            doubt(error, &actions)
        }
    }
}
