import Beacon
import HCI
import Radio
import RadioEmulation
import Synchronization
import Testing

/// Keeps what a transport delivers.
private final class Recorder: PacketReceiver {
    struct Record: Sendable {
        var packets: [[UInt8]] = []
        var times: [Timestamp] = []
        var closes = 0
        var packetsAfterClose = 0
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let record = Mutex(Record())

    var packets: [[UInt8]] { record.withLock { $0.packets } }
    var times: [Timestamp] { record.withLock { $0.times } }
    var closes: Int { record.withLock { $0.closes } }
    var packetsAfterClose: Int { record.withLock { $0.packetsAfterClose } }
    var statuses: [ErrorCode] { packets.compactMap { answer($0)?.status } }

    func receive(_ packet: RawSpan, at time: Timestamp) {
        let octets = (0..<packet.byteCount).map { packet.octet(at: $0) }
        let waiter: CheckedContinuation<Void, Never>? = record.withLock { record in
            record.packets.append(octets)
            record.times.append(time)
            record.packetsAfterClose += record.closes > 0 ? 1 : 0
            guard let waiting = record.waiting, record.packets.count >= waiting.count else { return nil }
            record.waiting = nil
            return waiting.continuation
        }
        waiter?.resume()
    }

    func transportDidClose(_ error: RadioError?) {
        record.withLock { $0.closes += 1 }
    }

    /// Throws `CancellationError` where the test's time is up.
    func waitForPackets(_ count: Int) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = record.withLock { record in
                    guard !Task.isCancelled, record.packets.count < count else { return true }
                    record.waiting = (count, continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiter = record.withLock { record in
                defer { record.waiting = nil }
                return record.waiting?.continuation
            }
            waiter?.resume()
        }
        try Task.checkCancellation()
    }
}

/// A clock that jumps: whoever sleeps on it is woken at once, at the instant that was asked for.
private final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let offset = Mutex(Duration.zero)
    private let sleeps = Mutex(0)

    var now: Instant { Instant(offset: offset.withLock { $0 }) }
    var minimumResolution: Duration { .microseconds(1) }
    var sleepCount: Int { sleeps.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        sleeps.withLock { $0 += 1 }
        offset.withLock { $0 = max($0, deadline.offset) }
        await Task.yield()
    }
}

@Suite(.timeLimit(.minutes(10))) struct EmulatedTransportTests {
    private static let start = Timestamp(microseconds: 1_700_000_000_000_000)

    private func send(_ commands: [Command], _ transport: EmulatedTransport) async throws {
        for command in commands {
            try await transport.send(command.packet)
        }
    }

    @Test("a scanner and an advertiser meet")
    func aScannerAndAnAdvertiserMeet() async throws {
        let air = EmulatedAir(scenario: .silence, clock: nil, start: Self.start)
        let (ear, mouth) = (EmulatedTransport(air, profile: .raspberryPi3), EmulatedTransport(air))
        let (heard, told) = (Recorder(), Recorder())
        try await ear.open(delivering: heard)
        try await mouth.open(delivering: told)
        try await send(Listen.legacy, ear)
        try await send(Recipe.extended, mouth)
        #expect(heard.statuses == Array(repeating: .success, count: 5))
        #expect(told.statuses == Array(repeating: .success, count: 3))
        await air.advance(to: .seconds(10))
        let got = reports(heard.packets)
        #expect((93...97).contains(got.count))
        #expect(got.allSatisfy { $0.data == Recipe.payload })
        #expect(heard.times == heard.times.sorted())
        #expect(heard.times.allSatisfy { $0 >= Self.start && $0.seconds(since: Self.start) <= 10 })
        #expect(await air.counts.reports == got.count)
        #expect(ear.sharing == .exclusive)
    }

    @Test("runs by an injected clock")
    func runsByAnInjectedClock() async throws {
        let clock = JumpingClock()
        let air = EmulatedAir(scenario: .museum, clock: clock, start: Self.start)
        let transport = EmulatedTransport(air)
        let recorder = Recorder()
        try await transport.open(delivering: recorder)
        try await send(Listen.extended, transport)
        try await recorder.waitForPackets(2000)
        await transport.close()
        // The clock goes on until the transport is closed. While nobody scans, it jumps a second each time: what counts
        // is the time since the last command's answer.
        let elapsed = recorder.times[1999].seconds(since: recorder.times[Listen.extended.count - 1])
        // Some 35 to 55 reports a second, each wake-up at least 5 ms after the one before.
        #expect(elapsed > 30 && elapsed < 70)
        #expect(recorder.times == recorder.times.sorted())
        #expect(recorder.packetsAfterClose == 0 && recorder.closes == 1)
        #expect(Double(clock.sleepCount) < clock.now.offset / .seconds(1) * 200 + 100)
    }

    @Test("a finite number of walks ends the transports")
    func aFiniteNumberOfWalksEndsTheTransports() async throws {
        let air = EmulatedAir(scenario: .museum, clock: nil, start: Self.start, walks: 2)
        let transport = EmulatedTransport(air)
        let recorder = Recorder()
        try await transport.open(delivering: recorder)
        try await send(Listen.extended, transport)
        await air.advance(to: .seconds(79))
        #expect(recorder.closes == 0)
        await air.advance(to: .seconds(1000))
        #expect(recorder.closes == 1)
        #expect(await air.elapsed == .seconds(80))
        let last = try #require(recorder.times.last)
        #expect(last.seconds(since: Self.start) <= 80)

        await #expect(throws: RadioError.self) { try await transport.send(Command.reset.packet) }
        await transport.close()
        #expect(recorder.closes == 1 && recorder.packetsAfterClose == 0)
        let late = await #expect(throws: RadioError.self) {
            try await EmulatedTransport(air).open(delivering: recorder)
        }
        #expect(late?.code == .cannotOpen)
    }

    @Test("nothing comes after close")
    func nothingComesAfterClose() async throws {
        let air = EmulatedAir(scenario: .oneBeacon(at: 1), clock: nil, start: Self.start)
        let transport = EmulatedTransport(air)
        let recorder = Recorder()
        try await transport.open(delivering: recorder)
        try await send(Listen.legacy, transport)
        await air.advance(to: .seconds(1))
        let count = recorder.packets.count
        await transport.close()
        await transport.close()
        await air.advance(to: .seconds(2))
        #expect(recorder.packets.count == count && recorder.closes == 1)
        let error = await #expect(throws: RadioError.self) { try await transport.send(Command.reset.packet) }
        #expect(error?.code == .closed)
    }

    @Test("a transport is opened once")
    func aTransportIsOpenedOnce() async throws {
        let air = EmulatedAir(scenario: .silence, clock: nil, start: Self.start)
        let transport = EmulatedTransport(air)
        let recorder = Recorder()
        let early = await #expect(throws: RadioError.self) { try await transport.send(Command.reset.packet) }
        #expect(early?.code == .closed)
        try await transport.open(delivering: recorder)
        let again = await #expect(throws: RadioError.self) { try await transport.open(delivering: recorder) }
        #expect(again?.code == .cannotOpen)
        await transport.close()
    }

    @Test("positions and addresses are the transport's own")
    func positionsAndAddressesAreTheTransportsOwn() async throws {
        let air = EmulatedAir(scenario: .oneBeacon(at: 10), clock: nil, start: Self.start)
        let near = EmulatedTransport(
            air, motion: .fixed(Position(9, 0)), address: DeviceAddress("aa:bb:cc:dd:ee:ff"))
        let far = EmulatedTransport(air)
        let (nearHeard, farHeard) = (Recorder(), Recorder())
        try await near.open(delivering: nearHeard)
        try await far.open(delivering: farHeard)
        try await send(Listen.legacy + [.readBDADDR], near)
        try await send(Listen.legacy, far)
        await air.advance(to: .seconds(1))
        for (recorder, level) in [(nearHeard, -59), (farHeard, -81)] as [(Recorder, Int8)] {
            let levels = reports(recorder.packets).map(\.report.rssi)
            #expect(levels.count >= 9 && levels.allSatisfy { $0 == level })
        }
        #expect(nearHeard.packets.contains(hex("04 0E 0A 01 09 10 00 FFEEDDCCBBAA")))
    }
}
