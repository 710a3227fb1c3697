import Beacon
import Foundation
import HCI
import Radio
import RadioEmulation
import Synchronization
import TestSupport
import Testing

/// Notes whether a connection has ended, and what was answered.
private final class Ear: PacketReceiver {
    private let state = Mutex((answers: 0, isClosed: false))

    var answers: Int { state.withLock { $0.answers } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func receive(_ packet: RawSpan, at time: Timestamp) { state.withLock { $0.answers += 1 } }
    func transportDidClose(_ error: RadioError?) { state.withLock { $0.isClosed = true } }
}

@Suite("An air that others connect to", .timeLimit(.minutes(10)))
struct EmulatedAirServerTests {
    @Test("gives each a controller, and lets go of one that does not speak HCI")
    func connections() async throws {
        let folder = try TemporaryFolder()
        let place = H4Endpoint.unix(path: "\(folder)/air")
        let air = EmulatedAir(scenario: Scenario(), start: Timestamp(microseconds: 0))
        let server = EmulatedAirServer(air)
        try await server.listen(at: place)

        var generator = SeededGenerator(seed: 9)
        for _ in 0..<20 {
            let (host, ear) = (H4Transport(place), Ear())
            try await host.open(delivering: ear)
            // An octet that begins no command, and noise behind it.
            try await host.send([0x99] + generator.octets(40))
            try await waitUntil("it is let go") { ear.isClosed }
            await host.close()
        }
        let (host, ear) = (H4Transport(place), Ear())
        try await host.open(delivering: ear)
        // Two commands in one piece, the second in two.
        let commands = Command.reset.packet + Command.readBDADDR.packet
        try await host.send(Array(commands.dropLast(2)))
        try await host.send(Array(commands.suffix(2)))
        try await waitUntil("both are answered") { ear.answers >= 2 }
        #expect(!ear.isClosed)
        await host.close()
        await server.close()
    }

    @Test("lets go of a host that sends commands without waiting for their answers")
    func flood() async throws {
        let folder = try TemporaryFolder()
        let place = H4Endpoint.unix(path: "\(folder)/air")
        let server = EmulatedAirServer(EmulatedAir(scenario: Scenario(), start: Timestamp(microseconds: 0)))
        try await server.listen(at: place)
        let (host, ear) = (H4Transport(place), Ear())
        try await host.open(delivering: ear)
        try await host.send((0..<20_000).flatMap { _ in Command.readBDADDR.packet })
        try await waitUntil("it is let go") { ear.isClosed }
        await host.close()
        await server.close()
    }

    @Test("says why it cannot be where it was asked to be")
    func refused() async throws {
        let server = EmulatedAirServer(EmulatedAir(scenario: Scenario(), start: Timestamp(microseconds: 0)))
        for place in [H4Endpoint.unix(path: "/nonexistent/air"), .serial(device: "/dev/ttyS0", baud: 115_200)] {
            let error = await #expect(throws: RadioError.self) { try await server.listen(at: place) }
            #expect(error?.remedy.isEmpty == false)
        }
    }
}
