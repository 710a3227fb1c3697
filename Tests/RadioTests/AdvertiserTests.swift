import Beacon
import HCI
import Radio
import Synchronization
import TestSupport
import Testing
import Text

/// A controller that obeys, and remembers the commands with their parameters.
private final class Ledger: Sendable {
    let commands = Mutex<[Command]>([])

    func answer(features: UInt64, sets: UInt8 = 4, refusing: @escaping @Sendable (Command) -> ErrorCode? = { _ in nil })
        -> ScriptedController.Answer {
        let obedient = ScriptedController.obedient(features: features)
        return { command in
            self.commands.withLock { $0.append(command) }
            if let status = refusing(command) { return [ScriptedController.complete(command, status)] }
            switch command.opcode {
            case .leReadNumberOfSupportedAdvertisingSets:
                return [ScriptedController.complete(command, .success, [sets])]
            case .readBDADDR: return [ScriptedController.complete(command, .success, [1, 2, 3, 4, 5, 6])]
            case .readScanEnable: return [ScriptedController.complete(command, .success, [2])]
            default: return obedient(command)
            }
        }
    }

    /// The opcodes of LE advertising so far, and of page scan.
    var advertising: [OpCode] {
        commands.withLock { $0 }.map(\.opcode).filter {
            ![.leReadLocalSupportedFeatures, .readBDADDR, .leReadNumberOfSupportedAdvertisingSets, .readScanEnable]
                .contains($0)
        }
    }

    /// Lets time pass until the commands have come.
    func wait(on clock: ManualClock, until condition: @Sendable ([Command]) -> Bool) async throws {
        while !commands.withLock({ condition($0) }) { try await clock.pass(.milliseconds(250)) }
    }
}

extension ManualClock {
    /// Lets time pass in the steps in which a session looks after its controller: it sleeps before and after each.
    fileprivate func pass(_ duration: Duration) async throws {
        let step = Duration.milliseconds(250)
        for _ in 0..<Int((duration / step).rounded(.up)) {
            try await sleepers(1)
            advance(by: step)
        }
        try await sleepers(1)
    }
}

private let extendedFeature: UInt64 = 1 << 12
private let recipe = Broadcast(data: [2, 1, 0x1A])

@Suite("An advertiser", .timeLimit(.minutes(10)))
struct AdvertiserConductTests {
    /// Runs an advertiser while `body` does something; then ends it.
    private func run(
        _ controller: ScriptedController, _ sets: AdvertisingSets, manner: Advertiser.Manner = .exact,
        _ body: @escaping @Sendable (Advertiser, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        // Commands have a clock of their own, which stands still: a slow machine must not let them time out.
        let advertiser = Advertiser(
            transport: controller, name: "test", broadcast: recipe, sets: sets, manner: manner, clock: clock,
            commandClock: ManualClock())
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            defer { started.finish() }
            try await advertiser.run { _ in started.yield() }
        }
        for await _ in starts { break }
        do {
            try await body(advertiser, clock)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        try await running.value
    }

    @Test("leaves silence and the former page scan behind, and no set in the controller")
    func leaving() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(sharing: .shared, answer: ledger.answer(features: extendedFeature))
        try await run(controller, AdvertisingSets(handles: [.shared(0)])) { _, _ in }
        let commands = ledger.commands.withLock { $0 }
        #expect(commands.suffix(3) == [
                .leSetExtendedAdvertisingEnable(false, .shared(0)), .leRemoveAdvertisingSet(.shared(0)),
                .writeScanEnable(2),
        ])
    }

    @Test("takes what killed programs left off the air before it begins")
    func leftovers() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(sharing: .shared, answer: ledger.answer(features: extendedFeature))
        let sets = AdvertisingSets(handles: [.shared(0)], leftovers: [.shared(1), .shared(2)])
        try await run(controller, sets) { _, _ in }
        let commands = ledger.commands.withLock { $0 }
        let start = try #require(commands.firstIndex(of: .leSetExtendedAdvertisingEnable(true, .shared(0))))
        for number: UInt8 in [1, 2] {
            let removal = try #require(commands.firstIndex(of: .leRemoveAdvertisingSet(.shared(number))))
            #expect(removal < start)
        }
    }

    @Test("refuses to be the second on a controller with one advertisement, and touches nothing")
    func second() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(sharing: .shared, answer: ledger.answer(features: 0))
        let sets = AdvertisingSets(handles: [.shared(1)], isFirstTaken: true)
        await #expect(throws: RadioError.self) { try await run(controller, sets) { _, _ in } }
        #expect(ledger.advertising.isEmpty)
    }

    /// What another program sends, as the kernel shows it.
    private static let thefts: [[Command]] = [
        [.leSetAdvertisingEnable(false)], [.leSetAdvertisingData([2, 1, 6])], [.reset],
    ]

    @Test("puts back what another program changed", arguments: thefts)
    func theft(commands: [Command]) async throws {
        let ledger = Ledger()
        let controller = ScriptedController(sharing: .shared, answer: ledger.answer(features: 0))
        try await run(controller, .own()) { _, clock in
            // A fight must stay slow, so that the first second belongs to the others.
            try await clock.pass(.milliseconds(1250))
            let before = ledger.commands.withLock { $0.count }
            for command in commands { controller.deliver(command.packet) }
            try await ledger.wait(on: clock) { $0.dropFirst(before).contains(.leSetAdvertisingEnable(true)) }
            #expect(ledger.commands.withLock { $0 }.dropFirst(before).contains(.leSetAdvertisingData(recipe.data)))
        }
    }

    @Test("tries again to put it back when the controller has refused")
    func refusedOnce() async throws {
        let refusals = Mutex(0)
        let ledger = Ledger()
        let answer = ledger.answer(features: 0) { command in
            guard command == .leSetAdvertisingEnable(true) else { return nil }
            return refusals.withLock { count in
                guard count > 0 else { return nil }
                count -= 1
                return .commandDisallowed
            }
        }
        let controller = ScriptedController(sharing: .shared, answer: answer)
        try await run(controller, .own()) { _, clock in
            refusals.withLock { $0 = 2 }
            let before = ledger.commands.withLock { $0.count }
            controller.deliver(Command.leSetAdvertisingEnable(false).packet)
            try await ledger.wait(on: clock) {
                $0.dropFirst(before).count { $0 == .leSetAdvertisingEnable(true) } == 3
            }
            try await clock.pass(.seconds(2))
            #expect(
                ledger.commands.withLock { $0 }.dropFirst(before).count { $0 == .leSetAdvertisingEnable(true) } == 3)
        }
    }

    @Test("ends with the refusal if that lasts, so that nobody takes it for being on the air")
    func refusedForEver() async throws {
        let isRefusing = Mutex(false)
        let ledger = Ledger()
        let answer = ledger.answer(features: 0) { command in
            command == .leSetAdvertisingEnable(true) && isRefusing.withLock { $0 } ? .commandDisallowed : nil
        }
        let controller = ScriptedController(sharing: .shared, answer: answer)
        let error = await #expect(throws: RadioError.self) {
            try await run(controller, .own()) { advertiser, clock in
                isRefusing.withLock { $0 = true }
                controller.deliver(Command.leSetAdvertisingEnable(false).packet)
                let time = clock.pass()
                defer { time.cancel() }
                // Page scan as it was is the last command of its end.
                try await waitUntil("it has ended") { ledger.advertising.last == .writeScanEnable }
                #expect(advertiser.restorations == 0)
            }
        }
        #expect(error?.code == .refused)
    }

    @Test("a set that the controller refused sends nothing, and is not restored")
    func refusedSet() async throws {
        let ledger = Ledger()
        let answer = ledger.answer(features: extendedFeature) { command in
            command == .leSetExtendedAdvertisingEnable(true, .shared(1)) ? .memoryCapacityExceeded : nil
        }
        let controller = ScriptedController(sharing: .shared, answer: answer)
        try await run(controller, AdvertisingSets(handles: [.shared(0), .shared(1), .shared(2)])) { advertiser, clock in
            await #expect(throws: RadioError.self) { try await advertiser.show(recipe, on: 1) }
            #expect(ledger.commands.withLock { $0 }.last == .leRemoveAdvertisingSet(.shared(1)))
            try await advertiser.show(recipe, on: 2)
            let before = ledger.commands.withLock { $0.count }
            controller.deliver(Command(.leSetExtendedAdvertisingEnable, [0, 0]).packet)
            try await ledger.wait(on: clock) {
                $0.dropFirst(before).contains(.leSetExtendedAdvertisingEnable(true, .shared(2)))
            }
            let after = ledger.commands.withLock { $0 }.dropFirst(before)
            #expect(after.contains(.leSetExtendedAdvertisingEnable(true, .shared(0))))
            #expect(!after.contains { $0.parameters.first == AdvertisingHandle.shared(1).rawValue })
        }
    }

    @Test("leaves alone what others do with sets of their own")
    func neighbours() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(sharing: .shared, answer: ledger.answer(features: extendedFeature))
        try await run(controller, AdvertisingSets(handles: [.shared(0)])) { advertiser, clock in
            controller.deliver(Command.leSetExtendedAdvertisingEnable(false, .first).packet)
            controller.deliver(Command.leSetExtendedAdvertisingData(.shared(3), [1]).packet)
            try await clock.pass(.seconds(2))
            #expect(advertiser.restorations == 0)
            // All sets at once.
            controller.deliver(Command(.leSetExtendedAdvertisingEnable, [0, 0]).packet)
            try await ledger.wait(on: clock) {
                $0.filter { $0 == .leSetExtendedAdvertisingEnable(true, .shared(0)) }.count == 2
            }
            #expect(advertiser.restorations == 1)
        }
    }

    @Test("changes data without a pause, and everything else with one")
    func changes() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(answer: ledger.answer(features: extendedFeature))
        try await run(controller, .own(3)) { advertiser, _ in
            #expect(advertiser.capacity == 3)
            #expect(advertiser.address == DeviceAddress(0x0605_0403_0201))
            var before = ledger.advertising.count
            try await advertiser.show(Broadcast(data: [2, 1, 6]), on: 0)
            #expect(ledger.advertising.dropFirst(before) == [.leSetExtendedAdvertisingData])
            before = ledger.advertising.count
            let stronger = AdvertisingParameters(transmitPower: 4)
            try await advertiser.show(
                Broadcast(data: [2, 1, 6], parameters: stronger, address: DeviceAddress(0xC0BE_AC00_0001)), on: 0)
            #expect(ledger.advertising.dropFirst(before) == [
                .leSetExtendedAdvertisingEnable, .leSetExtendedAdvertisingParameters,
                .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingData, .leSetExtendedAdvertisingEnable,
            ])
            before = ledger.advertising.count
            try await advertiser.show(nil, on: 0)
            #expect(ledger.advertising.dropFirst(before) == [.leSetExtendedAdvertisingEnable, .leRemoveAdvertisingSet])
        }
    }

    @Test("the guides' manner is their sequence, and a refusal of the 31 octets ends it in silence")
    func guides() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(
            sharing: .shared,
            answer: ledger.answer(features: 0) { $0.parameters.count == 31 ? .invalidParameters : nil })
        await #expect(throws: RadioError.self) { try await run(controller, .own(), manner: .guides) { _, _ in } }
        #expect(ledger.advertising == [
            .leSetAdvertisingParameters, .leSetAdvertisingEnable, .writeScanEnable, .leSetAdvertisingData,
            .leSetAdvertisingEnable, .writeScanEnable,
        ])
        #expect(ledger.commands.withLock { $0 }.suffix(2) == [.leSetAdvertisingEnable(false), .writeScanEnable(2)])
    }

    @Test("a controller whose feature bits lie is advertised on by the other family, all of it")
    func lyingFeatures() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(
            answer: ledger.answer(features: 0) {
                $0.opcode == .leSetAdvertisingParameters ? .unknownCommand : nil
            })
        try await run(controller, .own()) { _, _ in }
        #expect(ledger.commands.withLock { $0 }.contains(.leSetExtendedAdvertisingData(.first, recipe.data)))
        #expect(ledger.commands.withLock { $0 }.contains(.leSetExtendedAdvertisingEnable(true, .first)))
    }

    @Test("an interval that an older controller refuses is explained")
    func interval() async throws {
        let ledger = Ledger()
        let controller = ScriptedController(
            answer: ledger.answer(features: 0) { command in
                switch command.opcode {
                case .leSetAdvertisingParameters: .unsupportedFeatureOrParameter
                case .leSetExtendedAdvertisingParameters: .unknownCommand
                default: nil
                }
            })
        let error = await #expect(throws: RadioError.self) { try await run(controller, .own()) { _, _ in } }
        #expect(error?.description.contains("100 ms") == true, "\(error?.description ?? "")")
    }

    @Test("claims of one adapter never overlap, and end with their holder")
    func claims() async throws {
        let place = "test\(UInt64.random(in: 0 ... .max))"
        var first: AdvertisingClaim? = try await AdvertisingClaim(adapter: place)
        #expect(first?.sets.isFirstTaken == false)
        #expect(first?.sets.leftovers.isEmpty == false)
        first?.releaseLeftovers()
        let second = try await AdvertisingClaim(adapter: place, count: 2)
        #expect(second.sets.isFirstTaken)
        #expect(second.sets.handles.count == 2)
        #expect(Set(second.sets.handles).isDisjoint(with: first?.sets.handles ?? []))
        second.releaseLeftovers()
        first = nil
        // A program that another test starts has the descriptor for a moment too, until it is executed.
        try await waitUntil("the first is free") { try await !AdvertisingClaim(adapter: place).sets.isFirstTaken }
    }
}
