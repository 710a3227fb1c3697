package import Beacon

/// A way to a controller: a source and a sink of H4 packets.
///
/// Packets are delivered on the transport's own thread and borrowed: the receiver decodes them there and keeps
/// values, never bytes. Everything that wraps a transport (a capture) is one itself.
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
    /// Most transports hold the sender back instead.
    package var overruns: Int { 0 }
}

/// Who takes a transport's packets. Called on the transport's thread: it must return soon and must not block.
package protocol PacketReceiver: Sendable {
    /// One whole H4 packet, type octet first. The bytes are valid only during the call.
    func receive(_ packet: RawSpan, at time: Timestamp)

    /// The connection ended, by itself (`error`) or because `close` was called (nil). The last call.
    func transportDidClose(_ error: RadioError?)
}

/// Whether the controller belongs to this host alone.
package enum ControllerSharing: Sendable {
    /// H4, user channel, emulation: nobody else talks to the controller, so the host resets and sets it up.
    case exclusive
    /// Raw HCI socket: the kernel has set it up and others use it too, so the host must not reset it.
    case shared
}
