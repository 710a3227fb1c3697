import Beacon
import HCI
import Radio
import Synchronization
import Testing
import TestSupport
import Text

@Suite("The host", .timeLimit(.minutes(10)))
struct HostTests {
    @Test("returns a command's answer")
    func answer() async throws {
        let controller = ScriptedController { [ScriptedController.complete($0, .success, [1, 2, 3, 4, 5, 6])] }
        let host = Host(transport: controller, name: "test", clock: ManualClock()) { _, _ in }
        try await host.open()
        let answer = try await host.execute(.readBDADDR)
        #expect(answer.status == .success)
        #expect(DeviceAddress(returnParameters: answer.returnParameters)?.description == "06:05:04:03:02:01")
        await host.close()
    }

    @Test("has one command in flight, and sends the next when the controller gives credit")
    func oneAtATime() async throws {
        let clock = ManualClock()
        let controller = ScriptedController { _ in [] }
        let host = Host(transport: controller, name: "test", clock: clock) { _, _ in }
        try await host.open()
        // Each command's time-out starts once it is sent or waits.
        async let first = host.execute(.reset)
        try await clock.sleepers(1)
        async let second = host.execute(.readBDADDR)
        try await clock.sleepers(2)
        #expect(controller.sent == [.reset])
        controller.deliver(ScriptedController.complete(.reset))
        #expect(try await first.status == .success)
        try await waitUntil("the second is sent") { controller.sent.count >= 2 }
        controller.deliver(ScriptedController.complete(.readBDADDR))
        _ = try await second
        #expect(controller.sent == [.reset, .readBDADDR])
        await host.close()
    }

    @Test("sends nothing without credit, which an event that answers nothing can give")
    func noCredit() async throws {
        let clock = ManualClock()
        let controller = ScriptedController { _ in [] }
        let host = Host(transport: controller, name: "test", clock: clock) { _, _ in }
        try await host.open()
        async let first = host.execute(.reset)
        try await clock.sleepers(1)
        controller.deliver(ScriptedController.complete(.reset, credit: 0))
        #expect(try await first.status == .success)
        // The first one's time-out has ended with it: this is the second's, which waits by then.
        async let second = host.execute(.readBDADDR)
        try await clock.sleepers(1)
        #expect(controller.sent == [.reset])
        controller.deliver([4, 0x0E, 3, 0, 0, 0])
        #expect(controller.sent == [.reset])
        controller.deliver([4, 0x0E, 3, 1, 0, 0])
        try await waitUntil("the second is sent") { controller.sent.count >= 2 }
        controller.deliver(ScriptedController.complete(.readBDADDR))
        _ = try await second
        #expect(controller.sent == [.reset, .readBDADDR])
        await host.close()
    }

    @Test("gives up a command for a caller that was cancelled meanwhile")
    func timeOutOfCancelled() async throws {
        let clock = ManualClock()
        let host = Host(transport: ScriptedController { _ in [] }, name: "test", clock: clock) { _, _ in }
        try await host.open()
        let silent = Task { try await host.execute(.reset) }
        try await clock.sleepers(1)
        silent.cancel()
        try await clock.passCommandLimit()
        let error = await #expect(throws: RadioError.self) { _ = try await silent.value }
        #expect(error?.code == .timedOut)
        await host.close()
    }

    @Test("gives up a command that is never answered, and goes on with the next")
    func timeOut() async throws {
        let clock = ManualClock()
        let controller = ScriptedController { command in
            command.opcode == .reset ? [] : [ScriptedController.complete(command)]
        }
        let host = Host(transport: controller, name: "h4:test", clock: clock) { _, _ in }
        try await host.open()
        let silent = Task { try await host.execute(.reset) }
        try await clock.passCommandLimit()
        let error = await #expect(throws: RadioError.self) { _ = try await silent.value }
        #expect(error?.code == .timedOut)
        #expect(error?.description.contains("h4:test: no answer to Reset (0x0C03) within 2 s") == true)
        #expect(try await host.execute(.readBDADDR).status == .success)
        await host.close()
    }

    @Test("does not take a pause of its own machine for a controller that never answers")
    func pause() async throws {
        let clock = ManualClock()
        let controller = ScriptedController { _ in [] }
        let host = Host(transport: controller, name: "test", clock: clock) { _, _ in }
        try await host.open()
        let answer = Task { try await host.execute(.reset) }
        try await clock.sleepers(1)
        clock.advance(by: .seconds(60))
        // It waits on, or there would be no sleeper any more.
        try await clock.sleepers(1)
        controller.deliver(ScriptedController.complete(.reset))
        #expect(try await answer.value.status == .success)
        await host.close()
    }

    @Test("ends waiting commands when the connection ends, with its error")
    func hangUp() async throws {
        let controller = ScriptedController { _ in [] }
        let host = Host(transport: controller, name: "test", clock: ManualClock()) { _, _ in }
        try await host.open()
        let waiting = Task { try await host.execute(.reset) }
        try await waitUntil("it is sent") { !controller.sent.isEmpty }
        let cause = RadioError(.disconnected, at: "test", "it broke")
        controller.hangUp(cause)
        let error = await #expect(throws: RadioError.self) { _ = try await waiting.value }
        #expect(error == cause)
        #expect(await host.ended() == .failed(cause))
        await #expect(throws: RadioError.self) { _ = try await host.execute(.readBDADDR) }
    }

    @Test("hands every packet to its listener, answers included")
    func packets() async throws {
        let seen = Mutex<[UInt8]>([])
        let controller = ScriptedController { [ScriptedController.complete($0)] }
        let host = Host(transport: controller, name: "test", clock: ManualClock()) { packet, _ in
            let code = packet.octet(at: 1)
            seen.withLock { $0.append(code) }
        }
        try await host.open()
        _ = try await host.execute(.reset)
        controller.deliver([4, 0x3E, 2, 0x0A, 0])
        #expect(seen.withLock { $0 } == [0x0E, 0x3E])
        await host.close()
    }
}
