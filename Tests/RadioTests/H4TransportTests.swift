import Beacon
import Radio
import TestSupport
import Testing

/// Nothing is delivered here.
private struct Nobody: PacketReceiver {
    func receive(_ packet: RawSpan, at time: Timestamp) {}
    func transportDidClose(_ error: RadioError?) {}
}

@Suite("H4 over a network", .timeLimit(.minutes(10)))
struct H4TransportTests {
    @Test("gives up a connection that is not answered as soon as it is cancelled")
    func cancelled() async throws {
        let port = try FullPort()
        let transport = H4Transport(
            .tcp(host: "127.0.0.1", port: port.number), answeringWithin: .seconds(3600))
        let opening = Task { try await transport.open(delivering: Nobody()) }
        opening.cancel()
        let error = await #expect(throws: RadioError.self) { try await opening.value }
        #expect(error?.problem == "cannot connect: no answer so far")
        withExtendedLifetime(port) {}
    }
}
