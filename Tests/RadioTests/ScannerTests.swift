import Beacon
import HCI
import Radio
import Synchronization
import Testing
import TestSupport
import Text

private let reportPacket = bytes(
    "04 3E 27 02 01 03 01 C4 65 2B 23 7F E9 1B 1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5 B3")

@Suite("A scan", .timeLimit(.minutes(10)))
struct ScannerTests {
    private func scanner(
        _ controller: ScriptedController, _ clock: ManualClock, heard: @escaping @Sendable (Sighting) -> Void = { _ in }
    ) -> Scanner {
        Scanner(transport: controller, name: "test", source: 3, clock: clock) { heard(copy $0) }
    }

    @Test("hands on what it hears, and switches itself off when it is cancelled")
    func cancelled() async throws {
        let controller = ScriptedController(answer: ScriptedController.obedient())
        let (sightings, continuation) = AsyncStream.makeStream(of: Sighting.self)
        let scanner = scanner(controller, ManualClock()) { continuation.yield($0) }
        let scan = Task { try await scanner.run { _ in controller.deliver(reportPacket) } }
        var iterator = sightings.makeAsyncIterator()
        let sighting = try #require(await iterator.next())
        #expect(sighting.source == 3)
        #expect(sighting.beacon.id.minor == 2)
        scan.cancel()
        try await scan.value
        // Off before the parameters are set, on, and off at the end.
        #expect(controller.sent.count { $0 == .leSetScanEnable } == 3)
        #expect(controller.sent.last == .leSetScanEnable)
        #expect(scanner.counts.iBeacons == 1)
    }

    @Test("what it hears is handed on without a lock: the taker may ask the scan")
    func asked() async throws {
        let controller = ScriptedController(answer: ScriptedController.obedient())
        let asked = Mutex<Scanner?>(nil)
        let counts = Mutex<[Int]>([])
        let scanner = Scanner(transport: controller, name: "test", source: 0, clock: ManualClock()) { _ in
            let scanner = asked.withLock { $0 }
            counts.withLock { $0.append(scanner?.counts.iBeacons ?? -1) }
        }
        asked.withLock { $0 = scanner }
        try await scanner.run { _ in
            for _ in 0..<2 { controller.deliver(reportPacket) }
            controller.hangUp(nil)
        }
        // Counted once they were handed on.
        #expect(counts.withLock { $0 } == [0, 1])
        #expect(scanner.counts.iBeacons == 2)
    }

    @Test("ends with the source when it is over")
    func over() async throws {
        let controller = ScriptedController(answer: ScriptedController.obedient())
        let scanner = scanner(controller, ManualClock())
        try await scanner.run { _ in controller.hangUp(nil) }
    }

    @Test("fails when the controller goes away")
    func gone() async {
        let controller = ScriptedController(answer: ScriptedController.obedient())
        let scanner = scanner(controller, ManualClock())
        let cause = RadioError(.disconnected, at: "test", "unplugged")
        let error = await #expect(throws: RadioError.self) {
            try await scanner.run { _ in controller.hangUp(cause) }
        }
        #expect(error == cause)
    }

    @Test("asks a silent controller whether it lives, and fails when it does not answer")
    func silent() async throws {
        let (clock, commandClock) = (ManualClock(), ManualClock())
        let hangs = Atomic(false)
        let obedient = ScriptedController.obedient()
        let controller = ScriptedController { hangs.load(ordering: .relaxed) ? [] : obedient($0) }
        let scanner = Scanner(
            transport: controller, name: "test", source: 3, clock: clock, commandClock: commandClock
        ) { _ in }
        let scan = Task { try await scanner.run { _ in hangs.store(true, ordering: .relaxed) } }
        try await waitUntil("it scans") { hangs.load(ordering: .relaxed) }
        // The silence after which it is asked, and the limit of the answer.
        try await clock.sleepers(1)
        clock.advance(by: .seconds(2.5))
        try await commandClock.passCommandLimit()
        let error = await #expect(throws: RadioError.self) { try await scan.value }
        #expect(error?.code == .timedOut)
        #expect(controller.sent.contains(.readBDADDR))
        #expect(scanner.trouble.steps[.ask, default: 0] >= 1)
        #expect(scanner.trouble.unanswered >= 1)
    }

    @Test("of a controller that refuses says which command and why")
    func refused() async {
        let obedient = ScriptedController.obedient()
        let controller = ScriptedController(sharing: .shared) { command in
            [.leSetScanParameters, .leSetExtendedScanParameters].contains(command.opcode)
                ? [ScriptedController.complete(command, .commandDisallowed)] : obedient(command)
        }
        let scanner = scanner(controller, ManualClock())
        let error = await #expect(throws: RadioError.self) { try await scanner.run() }
        #expect(error?.status == .commandDisallowed)
        #expect(error?.description.contains("LE Set Scan Parameters (0x200B)") == true)
        #expect(scanner.trouble.refused[.commandDisallowed, default: 0] >= 1)
    }
}

@Suite("An advertisement", .timeLimit(.minutes(10)))
struct AdvertiserTests {
    @Test("is taken off the air when it is cancelled")
    func cancelled() async throws {
        let controller = ScriptedController(answer: ScriptedController.obedient(features: 1 << 12))
        let advertiser = Advertiser(
            transport: controller, name: "test", broadcast: Broadcast(data: [1, 2, 3]), clock: ManualClock())
        let (started, continuation) = AsyncStream<Bool>.makeStream()
        let advertising = Task { try await advertiser.run { _ = continuation.yield($0 == .extended) } }
        var iterator = started.makeAsyncIterator()
        #expect(await iterator.next() == true)
        advertising.cancel()
        try await advertising.value
        #expect(controller.sent.filter { $0 == .leSetExtendedAdvertisingEnable }.count == 3)
    }

    @Test("on a shared adapter leaves page and inquiry scan as they were", arguments: [0, 2, 3] as [UInt8])
    func scanMode(_ mode: UInt8) async throws {
        let obedient = ScriptedController.obedient()
        let controller = ScriptedController(sharing: .shared) { command in
            command.opcode == .readScanEnable
                ? [ScriptedController.complete(command, .success, [mode])] : obedient(command)
        }
        let advertiser = Advertiser(
            transport: controller, name: "test", broadcast: Broadcast(data: [1]), clock: ManualClock())
        let (started, continuation) = AsyncStream<Bool>.makeStream()
        let advertising = Task { try await advertiser.run { _ in _ = continuation.yield(true) } }
        var iterator = started.makeAsyncIterator()
        _ = await iterator.next()
        advertising.cancel()
        try await advertising.value
        let after = controller.sent.filter { $0 != .readBDADDR }.suffix(2)
        #expect(
            after
                == (mode == 0
                    ? [.leSetAdvertisingEnable, .leSetAdvertisingEnable] : [.leSetAdvertisingEnable, .writeScanEnable]))
    }
}

@Suite("A scan on an adapter that others use too", .timeLimit(.minutes(10)))
struct SharedScanTests {
    /// LE Set Scan Enable as another program sends it.
    private func scanEnable(_ isOn: UInt8, filter: UInt8) -> [UInt8] {
        [0x01, 0x0C, 0x20, 0x02, isOn, filter]
    }

    /// Runs a scan, delivers the packets, moves time by `seconds`, and returns what was sent after that.
    ///
    /// - Parameter refusals: how often the controller then refuses to start a scan.
    private func sent(after packets: [[UInt8]], refusals: Int = 0, seconds: Int) async throws -> [OpCode] {
        let clock = ManualClock()
        let remaining = Mutex(0)
        let controller = ScriptedController(sharing: .shared) { command in
            let isRefused = command == .leSetScanEnable(true) && remaining.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            return isRefused
                ? [ScriptedController.complete(command, .commandDisallowed)] : ScriptedController.obedient()(command)
        }
        // Commands have a clock of their own, which stands still: a slow machine must not let them time out.
        let scanner = Scanner(
            transport: controller, name: "test", source: 0, clock: clock, commandClock: ManualClock()
        ) { _ in }
        let (started, continuation) = AsyncStream<Bool>.makeStream()
        let scan = Task { try await scanner.run { _ in _ = continuation.yield(true) } }
        var iterator = started.makeAsyncIterator()
        _ = await iterator.next()
        let before = controller.sent.count
        remaining.withLock { $0 = refusals }
        for packet in packets { controller.deliver(packet) }
        for _ in 0..<seconds * 4 {
            try await clock.sleepers(1)
            clock.advance(by: .milliseconds(250))
            // Reports arrive, so that silence asks for nothing.
            controller.deliver(reportPacket)
        }
        try await clock.sleepers(1)
        let after = Array(controller.sent.dropFirst(before))
        scan.cancel()
        try await scan.value
        return after
    }

    @Test("is started again when another program stops it")
    func stolen() async throws {
        let sent = try await sent(after: [scanEnable(0, filter: 0)], seconds: 3)
        #expect(sent.contains(.leSetScanParameters))
        #expect(sent.filter { $0 == .leSetScanParameters }.count == 1)
    }

    @Test("is started again until the controller accepts it")
    func refused() async throws {
        let sent = try await sent(after: [scanEnable(0, filter: 0)], refusals: 2, seconds: 6)
        #expect(sent.filter { $0 == .leSetScanParameters }.count == 3)
    }

    @Test("ends with the refusal if that lasts, after a try each second")
    func refusedForEver() async throws {
        let clock = ManualClock()
        let isRefusing = Mutex(false)
        let controller = ScriptedController(sharing: .shared) { command in
            command == .leSetScanEnable(true) && isRefusing.withLock { $0 }
                ? [ScriptedController.complete(command, .commandDisallowed)] : ScriptedController.obedient()(command)
        }
        let scanner = Scanner(
            transport: controller, name: "test", source: 0, clock: clock, commandClock: ManualClock()
        ) { _ in }
        let (starts, started) = AsyncStream<Bool>.makeStream()
        let scan = Task { try await scanner.run { _ in _ = started.yield(true) } }
        for await _ in starts { break }
        isRefusing.withLock { $0 = true }
        controller.deliver(scanEnable(0, filter: 0))
        let time = clock.pass()
        let error = await #expect(throws: RadioError.self) { try await scan.value }
        time.cancel()
        #expect(error?.code == .refused)
        // The first one is the start.
        let tries = controller.sent.count { $0 == .leSetScanParameters } - 1
        #expect((3...5).contains(tries), "\(tries)")
    }

    @Test("is started again when another program filters duplicates")
    func filtered() async throws {
        let sent = try await sent(after: [scanEnable(0, filter: 0), scanEnable(1, filter: 1)], seconds: 3)
        #expect(sent.filter { $0 == .leSetScanParameters }.count == 1)
    }

    @Test("is left alone when another program wants the same")
    func agreed() async throws {
        let sent = try await sent(after: [scanEnable(0, filter: 0), scanEnable(1, filter: 0)], seconds: 3)
        #expect(!sent.contains(.leSetScanParameters))
    }

    @Test("does not mind what others do besides")
    func other() async throws {
        let sent = try await sent(after: [[0x01, 0x01, 0x10, 0x00]], seconds: 2)
        #expect(!sent.contains(.leSetScanParameters))
    }
}
