package import Beacon

/// A connection to a controller that carries H4 packets both ways.
///
/// Packets are delivered on the transport's own thread, and are borrowed: the receiver decodes them there and keeps
/// values, never bytes. What wraps a transport (`RecordingTransport`) is itself a transport.
package protocol Transport: Sendable {
    /// What a host may and must do with a controller behind this transport.
    var sharing: ControllerSharing { get }

    /// Connects, and from then on delivers every packet to `receiver`. Called once.
    func open(delivering receiver: any PacketReceiver) async throws(RadioError)

    /// Sends one H4 packet, type octet first.
    func send(_ packet: [UInt8]) async throws(RadioError)

    /// Packets lost on the way because this program was too slow to take them, since `open`.
    var overruns: Int { get }

    /// Ends the connection. Safe to call more than once. No packet is delivered afterwards.
    func close() async
}

extension Transport {
    /// Most transports make the sender wait instead.
    package var overruns: Int { 0 }
}

/// Receives a transport's packets. Called on the transport's thread: it must return soon and must not block.
package protocol PacketReceiver: Sendable {
    /// One whole H4 packet, type octet first. The bytes are valid only during the call.
    func receive(_ packet: RawSpan, at time: Timestamp)

    /// The connection ended, by itself (`error`) or because `close` was called (nil). The last call.
    func transportDidClose(_ error: RadioError?)
}

/// Whether this host uses the controller exclusively.
package enum ControllerSharing: Sendable {
    /// H4, user channel, emulation: no other program uses the controller, so the host resets it and sets it up.
    case exclusive
    /// Raw HCI socket: the kernel has set it up and other programs use it too, so the host must not reset it.
    case shared
}
