import Beacon
import HCI
import Radio

/// A transport that passes every advertising report to a listener too, on the transport's thread.
final class ReportObservingTransport: Transport {
    typealias Listener = @Sendable (AirCheck.Report) -> Void

    private let inner: any Transport
    private let listener: Listener

    init(_ inner: any Transport, listener: @escaping Listener) {
        self.inner = inner
        self.listener = listener
    }

    var sharing: ControllerSharing { inner.sharing }
    var overruns: Int { inner.overruns }

    func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        try await inner.open(delivering: ObservingReceiver(receiver: receiver, listener: listener))
    }

    func send(_ packet: [UInt8]) async throws(RadioError) { try await inner.send(packet) }

    func close() async { await inner.close() }
}

private struct ObservingReceiver: PacketReceiver {
    let receiver: any PacketReceiver
    let listener: ReportObservingTransport.Listener

    func receive(_ packet: RawSpan, at time: Timestamp) {
        if packet.byteCount > 1, packet.octet(at: 0) == PacketType.event.rawValue {
            walk(packet.extracting(1..<packet.byteCount), time)
        }
        receiver.receive(packet, at: time)
    }

    private func walk(_ event: RawSpan, _ time: Timestamp) {
        guard var reports = AdvertisingReports(event: event) else { return }
        while let report = reports.next(in: event) {
            let payload = event.extracting(report.data)
            listener(
                AirCheck.Report(
                    time: time, address: report.address, rssi: report.rssi,
                    payload: (0..<payload.byteCount).map { payload.octet(at: $0) },
                    beacon: IBeacon.first(in: payload)))
        }
    }

    func transportDidClose(_ error: RadioError?) { receiver.transportDidClose(error) }
}
