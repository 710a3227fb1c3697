import Beacon

/// The air between transmitters and receivers, in virtual time.
///
/// Event driven: it goes from one advertising event to the next, and decides at random for each receiver whether the
/// packet arrives and at which level. Every transmitter, and every link from a transmitter to a receiver, has its own
/// stream of random numbers. A run therefore depends only on the seed and on what is on the air, not on the time steps
/// in which it is computed.
package struct Air: Sendable {
    /// One packet at one receiver.
    package struct Reception: Hashable, Sendable {
        package var receiver: ReceiverID
        /// dBm, from -127 to 20.
        package var rssi: Int8
    }

    /// One advertising event and the receivers that received it.
    package struct Transmission: Hashable, Sendable {
        /// Since the start.
        package var time: Duration
        package var transmitter: TransmitterID
        package var pdu: AdvertisingPDU
        /// The receivers that received it, in the order in which they were added.
        package var receptions: [Reception]
    }

    private struct Sender: Sendable {
        var transmitter: Transmitter
        var random: RandomSource
        var packets: UInt64 = 0
    }

    private struct Receiver: Sendable {
        var id: ReceiverID
        var motion: Motion
        var isListening: Bool
    }

    private struct Way: Hashable {
        var transmitter: TransmitterID
        var receiver: ReceiverID
    }

    private let propagation: Propagation
    private let seed: UInt64
    private var senders: [TransmitterID: Sender] = [:]
    private var receivers: [Receiver] = []
    private var links: [Way: Link] = [:]
    private var queue = EventQueue<TransmitterID>()
    private var counter = 0

    package init(propagation: Propagation = Propagation(), seed: UInt64 = 1) {
        self.propagation = propagation
        self.seed = seed
    }

    // MARK: - Transmitters and receivers

    /// Adds a transmitter that was already on: its first packet comes at a random time within an interval.
    package mutating func add(_ transmitter: Transmitter, at now: Duration = .zero) -> TransmitterID {
        add(transmitter, at: now) { random in random.integer(upTo: transmitter.interval.microseconds) }
    }

    /// Adds a transmitter that is switched on now: its first packet comes after only the random delay.
    package mutating func start(_ transmitter: Transmitter, at now: Duration) -> TransmitterID {
        add(transmitter, at: now) { random in random.integer(upTo: Self.longestDelay) }
    }

    private mutating func add(
        _ transmitter: Transmitter, at now: Duration, delay: (inout RandomSource) -> Int64
    ) -> TransmitterID {
        let id = TransmitterID(number: counter)
        var random = RandomSource(seed: seed, counter, -1)
        let first = max(now, transmitter.presence.lowerBound) + .microseconds(delay(&random))
        senders[id] = Sender(transmitter: transmitter, random: random)
        counter += 1
        schedule(id, at: first)
        return id
    }

    /// Changes what a transmitter sends from its next packet on. The times of its packets stay.
    package mutating func update(_ id: TransmitterID, _ pdu: AdvertisingPDU, levelAtOneMetre: Double) {
        senders[id]?.transmitter.pdu = pdu
        senders[id]?.transmitter.levelAtOneMetre = levelAtOneMetre
    }

    package mutating func remove(_ id: TransmitterID) {
        senders[id] = nil
        links = links.filter { $0.key.transmitter != id }
    }

    package mutating func addReceiver(_ motion: Motion, isListening: Bool = true) -> ReceiverID {
        let id = ReceiverID(number: counter)
        counter += 1
        receivers.append(Receiver(id: id, motion: motion, isListening: isListening))
        return id
    }

    /// Switches a receiver on or off.
    package mutating func setListening(_ isListening: Bool, _ id: ReceiverID) {
        for index in receivers.indices where receivers[index].id == id {
            receivers[index].isListening = isListening
        }
    }

    package mutating func remove(_ id: ReceiverID) {
        receivers.removeAll { $0.id == id }
        links = links.filter { $0.key.receiver != id }
    }

    /// Whether any receiver is on.
    package var isHeard: Bool { receivers.contains { $0.isListening } }

    // MARK: - Time

    /// The time of the next packet; nil if there is no transmitter.
    package var nextTransmission: Duration? {
        mutating get {
            while let first = queue.first {
                if senders[first.element] != nil { return first.time }
                queue.removeFirst()  // of a sender that is gone
            }
            return nil
        }
    }

    /// Sends the next packet if it is due by `limit`.
    package mutating func next(notAfter limit: Duration) -> Transmission? {
        guard let time = nextTransmission, time <= limit, let id = queue.first?.element else { return nil }
        queue.removeFirst()
        guard var sender = senders[id] else { return nil }
        let transmitter = sender.transmitter
        let pdu = packet(of: &sender, id, at: time)
        // Core Specification Vol 6, Part B, 4.4.2.2: the interval plus a pseudo-random delay of 0 to 10 ms.
        let delay = sender.random.integer(upTo: Self.longestDelay)
        senders[id] = sender
        schedule(id, at: time + transmitter.interval + .microseconds(delay))
        return Transmission(
            time: time, transmitter: id, pdu: pdu, receptions: receptions(of: transmitter, id, at: time))
    }

    /// Sends everything up to and including an instant, in the order of time.
    package mutating func advance(to limit: Duration) -> [Transmission] {
        var transmissions: [Transmission] = []
        while let transmission = next(notAfter: limit) {
            transmissions.append(transmission)
        }
        return transmissions
    }

    /// Microseconds.
    private static let longestDelay: Int64 = 10_000

    private mutating func schedule(_ id: TransmitterID, at time: Duration) {
        guard let sender = senders[id], time < sender.transmitter.presence.upperBound else { return }
        queue.push(id, at: time)
    }

    private mutating func receptions(
        of transmitter: Transmitter, _ id: TransmitterID, at time: Duration
    ) -> [Reception] {
        guard isHeard else { return [] }
        var receptions: [Reception] = []
        let origin = transmitter.motion.position(at: time)
        for receiver in receivers where receiver.isListening {
            let offset = receiver.motion.position(at: time) - origin
            let way = Way(transmitter: id, receiver: receiver.id)
            let level = links[way, default: Link(seed: seed, transmitter: id, receiver: receiver.id)]
                .receive(transmitter.levelAtOneMetre, offset: offset, at: time, propagation)
            if let level {
                let rssi = Int8(max(-127, min(20, level.rounded())))
                receptions.append(Reception(receiver: receiver.id, rssi: rssi))
            }
        }
        return receptions
    }

    private func packet(of sender: inout Sender, _ id: TransmitterID, at time: Duration) -> AdvertisingPDU {
        var pdu = sender.transmitter.pdu
        let epoch: UInt64
        switch sender.transmitter.rotation {
        case .never: return pdu
        case .everyPacket: epoch = sender.packets
        case .every(let period):
            epoch = UInt64(max(0, time.microseconds / max(1, period.microseconds)))
        }
        sender.packets &+= 1
        var random = RandomSource(seed: seed, id.number, Int(truncatingIfNeeded: epoch))
        pdu.address = .privateAddress(&random)
        pdu.addressType = .random
        return pdu
    }
}

extension DeviceAddress {
    /// A resolvable private address (01 in the upper bits), which phones use. Core Specification Vol 6, Part B,
    /// 1.3.2.2.
    static func privateAddress(_ random: inout RandomSource) -> DeviceAddress {
        DeviceAddress(random.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000)
    }

    /// A static device address (11 in the upper bits), which beacons use. Core Specification Vol 6, Part B, 1.3.2.1.
    static func staticAddress(_ random: inout RandomSource) -> DeviceAddress {
        DeviceAddress(random.next() & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000)
    }
}
