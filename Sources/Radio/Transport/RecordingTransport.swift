import Beacon
import Platform

/// Wraps a transport, and records everything that passes through it.
package final class RecordingTransport: Transport {
    private let inner: any Transport
    private let recorder: PacketRecorder
    private let adapter: UInt16
    /// Where sent packets are recorded. Each sender waits for its own packet, and a session has one command under way,
    /// so few wait. Received packets wait in the recorder.
    private let queue = BlockingQueue("beacond.recording")

    /// - Parameter adapter: its number in a recording of several.
    package init(_ inner: any Transport, recorder: PacketRecorder, adapter: UInt16 = 0) {
        self.inner = inner
        self.recorder = recorder
        self.adapter = adapter
    }

    package var sharing: ControllerSharing { inner.sharing }
    package var overruns: Int { inner.overruns }

    package func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        try await inner.open(delivering: Recording(receiver: receiver, recorder: recorder, adapter: adapter))
    }

    package func send(_ packet: [UInt8]) async throws(RadioError) {
        // A disk may be slow. The packet is recorded before its answer can come.
        await queue.run { self.record(packet) }
        try await inner.send(packet)
    }

    private func record(_ packet: [UInt8]) {
        recorder.record(packet.span.bytes, fromController: false, at: WallClock.now, adapter: adapter)
    }

    package func close() async {
        await inner.close()
    }
}

private struct Recording: PacketReceiver {
    let receiver: any PacketReceiver
    let recorder: PacketRecorder
    let adapter: UInt16

    func receive(_ packet: RawSpan, at time: Timestamp) {
        recorder.recordReceived(packet, at: time, adapter: adapter)
        receiver.receive(packet, at: time)
    }

    func transportDidClose(_ error: RadioError?) {
        receiver.transportDidClose(error)
    }
}
