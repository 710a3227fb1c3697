package import Beacon

/// A scenario and its virtual controllers: HCI packets in and out, with time moved manually.
///
/// Controllers receive the scenario's beacons and each other. Everything is a value, and nothing reads a clock. The
/// result depends only on the scenario and on the times of the commands.
package struct Emulation: Sendable {
    package struct ControllerID: Hashable, Sendable {
        let number: Int
    }

    /// A packet from a controller to its host.
    package struct Delivery: Hashable, Sendable {
        package var controller: ControllerID
        /// Since the start of the emulation.
        package var time: Duration
        /// H4, starting with the packet type.
        package var packet: [UInt8]
    }

    /// Counts of what has happened so far.
    package struct Counts: Hashable, Sendable {
        /// Advertising events of all transmitters.
        package var transmissions = 0
        /// Packets with advertising reports that were delivered to hosts.
        package var reports = 0

        package init() {}
    }

    private struct Attached: Sendable {
        var controller: VirtualController
        var receiver: ReceiverID
        var motion: Motion
        var onAir: [AdvertisementID: OnAir] = [:]
    }

    private struct OnAir: Sendable {
        var transmitter: TransmitterID
        var starts: Int
    }

    private struct Owner: Sendable {
        var controller: ControllerID
        var advertisement: AdvertisementID
    }

    package let scenario: Scenario
    /// When it ends; nil for never.
    package let end: Duration?
    /// The current time. Everything before it has happened.
    package private(set) var now = Duration.zero
    /// The counts so far.
    package private(set) var counts = Counts()

    private var air: Air
    private var attached: [ControllerID: Attached] = [:]
    private var controllers: [ReceiverID: ControllerID] = [:]
    private var owners: [TransmitterID: Owner] = [:]
    private var attachments = 0

    /// - Parameter walks: the number of walks after which it ends; nil for never.
    package init(_ scenario: Scenario, walks: Int? = nil) {
        self.scenario = scenario
        end = walks.map { scenario.duration * max(1, $0) }
        air = Air(propagation: scenario.propagation, seed: scenario.seed)
        for (number, beacon) in scenario.beacons.enumerated() {
            _ = air.add(beacon.transmitter(number: number, seed: scenario.seed))
        }
    }

    /// Whether the last walk has ended.
    package var isOver: Bool { end.map { now >= $0 } ?? false }

    // MARK: - Controllers

    /// Adds a controller in its state after power-on.
    ///
    /// - Parameters:
    ///   - motion: its position; nil for the visitor.
    ///   - address: nil for one that no other controller has.
    package mutating func attach(
        _ profile: ControllerProfile = .bluetooth5, motion: Motion? = nil, address: DeviceAddress? = nil
    ) -> ControllerID {
        attachments += 1
        let id = ControllerID(number: attachments)
        let motion = motion ?? scenario.visitor
        let receiver = air.addReceiver(motion, isListening: false)
        // 02:… are addresses that are not assigned to any manufacturer.
        let address = address ?? DeviceAddress(0x02BE_AC00_0000 + UInt64(attachments))
        attached[id] = Attached(
            controller: VirtualController(profile: profile, address: address), receiver: receiver, motion: motion)
        controllers[receiver] = id
        return id
    }

    /// Removes a controller and its advertisements from the air.
    package mutating func detach(_ id: ControllerID) {
        guard let gone = attached.removeValue(forKey: id) else { return }
        for onAir in gone.onAir.values {
            silence(onAir)
        }
        air.remove(gone.receiver)
        controllers[gone.receiver] = nil
    }

    /// Delivers a packet from a host to its controller.
    ///
    /// - Parameter instant: an instant before `now` counts as now.
    /// - Returns: the packets due until then, followed by the controller's answer.
    package mutating func send(_ packet: [UInt8], to id: ControllerID, at instant: Duration) -> [Delivery] {
        var deliveries = advance(to: instant)
        let events = attached[id]?.controller.execute(packet, at: now) ?? []
        deliveries += events.map { Delivery(controller: id, time: now, packet: $0) }
        followUp(id)
        return deliveries
    }

    // MARK: - Time

    /// Moves time forward, to the end at most. Returns the controllers' packets to their hosts in the order of time.
    package mutating func advance(to instant: Duration) -> [Delivery] {
        let limit = min(instant, end ?? instant)
        var deliveries: [Delivery] = []
        while true {
            let deadline = nextDeadline
            if let deadline, deadline.time <= min(limit, air.nextTransmission ?? limit) {
                deliveries += expire(deadline.controller, at: deadline.time)
            } else if let transmission = air.next(notAfter: limit) {
                deliver(transmission, to: &deliveries)
            } else {
                break
            }
        }
        now = max(now, limit)
        return deliveries
    }

    /// The next instant at which a host may get a packet; nil for none. Transmissions do not matter while no controller
    /// scans.
    package var nextEvent: Duration? {
        mutating get {
            let isOfInterest = air.isHeard || attached.values.contains { $0.controller.countsEvents }
            return [isOfInterest ? air.nextTransmission : nil, nextDeadline?.time, end].compactMap { $0 }.min()
        }
    }

    private var nextDeadline: (time: Duration, controller: ControllerID)? {
        attached.compactMap { id, attached in attached.controller.deadline.map { ($0, id) } }
            .min { ($0.0, $0.1.number) < ($1.0, $1.1.number) }
    }

    private mutating func expire(_ id: ControllerID, at time: Duration) -> [Delivery] {
        now = max(now, time)
        let events = attached[id]?.controller.expire(at: time) ?? []
        followUp(id)
        return events.map { Delivery(controller: id, time: time, packet: $0) }
    }

    private mutating func deliver(_ transmission: Air.Transmission, to deliveries: inout [Delivery]) {
        counts.transmissions += 1
        now = max(now, transmission.time)
        let owner = owners[transmission.transmitter]
        for reception in transmission.receptions {
            // A radio cannot receive its own packets.
            guard let id = controllers[reception.receiver], id != owner?.controller else { continue }
            let packets = attached[id]?.controller
                .hear(transmission.pdu, rssi: reception.rssi, at: transmission.time) ?? []
            counts.reports += packets.count
            deliveries += packets.map { Delivery(controller: id, time: transmission.time, packet: $0) }
        }
        guard let owner else { return }
        let events = attached[owner.controller]?.controller
            .didTransmit(owner.advertisement, at: transmission.time) ?? []
        deliveries += events.map { Delivery(controller: owner.controller, time: transmission.time, packet: $0) }
        followUp(owner.controller)
    }

    // MARK: - Controllers on the air

    /// Updates the air with what a controller now sends and whether it scans.
    private mutating func followUp(_ id: ControllerID) {
        guard var state = attached[id] else { return }
        air.setListening(state.controller.isScanning, state.receiver)
        let advertisements = state.controller.advertisements
        let wanted = Set(advertisements.map(\.id))
        for (advertisement, onAir) in state.onAir where !wanted.contains(advertisement) {
            silence(onAir)
            state.onAir[advertisement] = nil
        }
        for advertisement in advertisements {
            if let onAir = state.onAir[advertisement.id], onAir.starts == advertisement.starts {
                air.update(
                    onAir.transmitter, advertisement.pdu, levelAtOneMetre: advertisement.levelAtOneMetre)
                continue
            }
            state.onAir[advertisement.id].map { silence($0) }
            let transmitter = air.start(
                Transmitter(
                    pdu: advertisement.pdu, interval: advertisement.interval,
                    levelAtOneMetre: advertisement.levelAtOneMetre, motion: state.motion),
                at: now)
            state.onAir[advertisement.id] = OnAir(transmitter: transmitter, starts: advertisement.starts)
            owners[transmitter] = Owner(controller: id, advertisement: advertisement.id)
        }
        attached[id] = state
    }

    private mutating func silence(_ onAir: OnAir) {
        air.remove(onAir.transmitter)
        owners[onAir.transmitter] = nil
    }
}
