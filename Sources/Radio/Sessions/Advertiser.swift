public import HCI
import Synchronization

/// Advertises one payload on one controller, from connecting to silence.
public final class Advertiser: Sendable {
    private let host: Host
    private let session: ControllerSession
    private let data: [UInt8]
    private let parameters: AdvertisingParameters

    /// - Parameters:
    ///   - name: the source's specification, for messages.
    ///   - data: the advertising payload, at most 31 octets.
    public init(
        transport: any Transport, name: String, data: [UInt8], parameters: AdvertisingParameters,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let answers = PacketCount()
        self.data = data
        self.parameters = parameters
        host = Host(transport: transport, name: name, clock: clock) { _, _ in answers.increment() }
        session = ControllerSession(host: host, clock: clock) { answers.value }
    }

    /// Connects, advertises, and returns when the source is over or the task is cancelled: advertising is then switched
    /// off and the connection closed.
    ///
    /// Throws when the controller cannot be reached, refuses, hangs, or goes away.
    /// - Parameter started: called once the payload is on the air.
    public func run(started: @Sendable (CommandFamily) async -> Void = { _ in }) async throws(RadioError) {
        try await session.run(
            .advertising(data, parameters, sharing: host.sharing), to: "advertise",
            stop: ControllerProcedure.stopAdvertising, started: started)
    }
}

private final class PacketCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() {
        count.wrappingAdd(1, ordering: .relaxed)
    }
}
