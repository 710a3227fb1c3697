package import Beacon
import HCI
import Radio

/// An emulation with a clock and transports: a scanner and an advertiser in one process can use the same air.
///
/// Time starts when it is created. It sleeps from one packet to the next, but at least 5 ms, then delivers all due
/// packets in order. The packets keep the instants at which they were on the air. Without transports it does not run.
package actor EmulatedAir {
    private var emulation: Emulation
    /// The time of day at the start, adjusted when the wall clock is set.
    private var start: Timestamp
    private let wallClock: (@Sendable () -> Timestamp)?
    private let clock: (any Clock<Duration>)?
    /// Time since the start; nil if time is moved manually.
    private let stopwatch: (@Sendable () -> Duration)?
    private var receivers: [Emulation.ControllerID: any PacketReceiver] = [:]
    private var alarm: (due: Duration, number: Int, task: Task<Void, Never>)?
    private var alarms = 0

    /// - Parameters:
    ///   - scenario: the beacons and the visitor.
    ///   - clock: nil lets time stand still until `advance(to:)`.
    ///   - start: the time of day at the start; the packets' times are based on it.
    ///   - wallClock: when this clock is set, the packets' times follow, as with a radio; nil for never.
    ///   - walks: the number of walks after which the transports end; nil for never.
    package init(
        scenario: Scenario, clock: (any Clock<Duration>)? = ContinuousClock(), start: Timestamp,
        wallClock: (@Sendable () -> Timestamp)? = nil, walks: Int? = nil
    ) {
        emulation = Emulation(scenario, walks: walks)
        self.start = start
        self.wallClock = wallClock
        self.clock = clock
        stopwatch = clock.map { Self.stopwatch($0) }
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// The emulation's current time since its start.
    package var elapsed: Duration { emulation.now }

    /// The counts of packets on the air and of reports so far.
    package var counts: Emulation.Counts { emulation.counts }

    /// Moves time manually: delivers everything up to this time since the start before it returns. Has no effect on an
    /// air with a clock.
    package func advance(to elapsed: Duration) {
        guard stopwatch == nil else { return }
        catchUp(to: elapsed)
    }

    // MARK: - Transports

    func attach(
        _ receiver: any PacketReceiver, _ profile: ControllerProfile, motion: Motion?, address: DeviceAddress?
    ) throws(RadioError) -> Emulation.ControllerID {
        catchUp(to: stopwatch?() ?? emulation.now)
        guard !emulation.isOver else {
            throw RadioError(
                .cannotOpen, at: EmulatedTransport.place, "the emulated walk has ended",
                remedy: "start it again, or let it go on without end")
        }
        let id = emulation.attach(profile, motion: motion, address: address)
        receivers[id] = receiver
        setAlarm()
        return id
    }

    func send(_ packet: [UInt8], from id: Emulation.ControllerID) throws(RadioError) {
        catchUp(to: stopwatch?() ?? emulation.now)
        guard receivers[id] != nil else { throw EmulatedTransport.closed }
        deliver(emulation.send(packet, to: id, at: emulation.now))
        setAlarm()
    }

    func detach(_ id: Emulation.ControllerID) {
        emulation.detach(id)
        receivers.removeValue(forKey: id)?.transportDidClose(nil)
        setAlarm()
    }

    // MARK: - Time

    /// Prevents one wake-up per packet if there are many beacons.
    private static let shortestSleep = Duration.milliseconds(5)
    /// Limits what has to be computed at once after a time without scanners.
    private static let longestSleep = Duration.seconds(1)

    private func catchUp(to instant: Duration) {
        guard !emulation.isOver else { return }
        deliver(emulation.advance(to: instant))
        if emulation.isOver {
            let ended = receivers.sorted { $0.key.number < $1.key.number }
            receivers = [:]
            for (id, receiver) in ended {
                emulation.detach(id)
                receiver.transportDidClose(nil)
            }
        }
    }

    /// Microseconds. A smaller difference is not a change of the clock, but the time between the two readings.
    private static let clockTolerance: Int64 = 250_000

    private func followWallClock() {
        guard let wallClock, let stopwatch else { return }
        let now = Timestamp(microseconds: wallClock().microseconds - stopwatch().microseconds)
        if (now.microseconds &- start.microseconds).magnitude > Self.clockTolerance.magnitude { start = now }
    }

    private func deliver(_ deliveries: [Emulation.Delivery]) {
        if !deliveries.isEmpty { followWallClock() }
        for delivery in deliveries {
            receivers[delivery.controller]?.receive(
                delivery.packet.span.bytes,
                at: Timestamp(microseconds: start.microseconds + delivery.time.microseconds))
        }
    }

    /// Sleeps until the next event, unless an earlier alarm is set.
    private func setAlarm() {
        guard let clock, let stopwatch, !receivers.isEmpty else {
            alarm?.task.cancel()
            alarm = nil
            return
        }
        let next = min(emulation.nextEvent ?? Transmitter.forever, emulation.now + Self.longestSleep)
        let due = max(next, emulation.now + Self.shortestSleep)
        if let alarm, alarm.due <= due { return }
        alarm?.task.cancel()
        alarms += 1
        let number = alarms
        let task = Task { [weak self] in
            do {
                try await clock.sleep(for: max(.zero, due - stopwatch()))
            } catch {
                return  // another alarm took its place
            }
            await self?.ring(number)
        }
        alarm = (due, number, task)
    }

    private func ring(_ number: Int) {
        guard let stopwatch, alarm?.number == number else { return }
        alarm = nil
        catchUp(to: stopwatch())
        setAlarm()
    }
}
