public import Beacon
public import HCI
import Synchronization

/// Listens for iBeacons on one controller, from connecting to a clean end.
public final class Scanner: Sendable {
    /// Takes sightings on the transport's thread: it must return soon.
    public typealias Sink = @Sendable (borrowing Sighting) -> Void

    private let host: Host
    private let intake: Intake
    private let session: ControllerSession
    private let parameters: ScanParameters

    /// - Parameters:
    ///   - name: the source's specification, for messages.
    ///   - index: goes into every sighting as its scanner.
    public init(
        transport: any Transport, name: String, index: UInt16, parameters: ScanParameters = ScanParameters(),
        clock: any Clock<Duration> = ContinuousClock(), sink: @escaping Sink
    ) {
        let intake = Intake(index: index, sink: sink)
        self.intake = intake
        self.parameters = parameters
        host = Host(transport: transport, name: name, clock: clock) { packet, time in
            intake.receive(packet, at: time)
        }
        session = ControllerSession(host: host, clock: clock) { intake.counts.packets }
    }

    /// What passed through so far.
    public var counts: DecodingCounts { intake.counts }

    /// Connects, scans, and returns when the source is over or the task is cancelled: the scan is then switched off
    /// and the connection closed.
    ///
    /// Throws when the controller cannot be reached, refuses, hangs, or goes away.
    /// - Parameter started: called once scanning is on.
    public func run(started: @Sendable (CommandFamily) async -> Void = { _ in }) async throws(RadioError) {
        try await session.run(
            .scanning(parameters, sharing: host.sharing), to: "scan", stop: ControllerProcedure.stopScanning,
            started: started)
    }
}

/// What an advertisement passes through on the transport's thread. Apart from the scanner, so that the host can hold
/// it without holding the scanner.
private final class Intake: Sendable {
    private let decoder = Mutex(SightingDecoder())
    private let index: UInt16
    private let sink: Scanner.Sink

    init(index: UInt16, sink: @escaping Scanner.Sink) {
        self.index = index
        self.sink = sink
    }

    var counts: DecodingCounts { decoder.withLock { $0.counts } }

    func receive(_ packet: RawSpan, at time: Timestamp) {
        decoder.withLock { $0.decode(packet: packet, at: time, scanner: index, sink) }
    }
}
