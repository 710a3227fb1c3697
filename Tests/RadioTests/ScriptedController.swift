import Beacon
import HCI
import Radio
import Synchronization

/// A controller for tests that no emulator can be: it answers each command as told, or not at all.
final class ScriptedController: Transport {
    typealias Answer = @Sendable (Command) -> [[UInt8]]

    let sharing: ControllerSharing
    private let answer: Answer
    private let state = Mutex(State())

    private struct State {
        var receiver: (any PacketReceiver)?
        var sent: [OpCode] = []
    }

    init(sharing: ControllerSharing = .exclusive, answer: @escaping Answer) {
        self.sharing = sharing
        self.answer = answer
    }

    /// What was sent so far, in order.
    var sent: [OpCode] { state.withLock { $0.sent } }

    func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        state.withLock { $0.receiver = receiver }
    }

    func send(_ packet: [UInt8]) async throws(RadioError) {
        let command = Command(OpCode(rawValue: packet.span.bytes.littleEndian16(at: 1)), Array(packet.dropFirst(4)))
        state.withLock { $0.sent.append(command.opcode) }
        for event in answer(command) { deliver(event) }
    }

    /// Sends a packet to the host, type octet first.
    func deliver(_ packet: [UInt8], at time: Timestamp = Timestamp(microseconds: 0)) {
        state.withLock { $0.receiver }?.receive(packet.span.bytes, at: time)
    }

    /// Ends the connection from the controller's side.
    func hangUp(_ error: RadioError?) {
        state.withLock { $0.receiver }?.transportDidClose(error)
    }

    func close() async {
        let receiver = state.withLock { state in
            defer { state.receiver = nil }
            return state.receiver
        }
        receiver?.transportDidClose(nil)
    }

    /// Command Complete with a status and what follows it.
    ///
    /// - Parameter credit: how many commands the controller takes now.
    static func complete(
        _ command: Command, _ status: ErrorCode = .success, _ rest: [UInt8] = [], credit: UInt8 = 1
    ) -> [UInt8] {
        var packet: [UInt8] = [4, 0x0E, UInt8(4 + rest.count), credit]
        packet.append(littleEndian: command.opcode.rawValue)
        return packet + [status.rawValue] + rest
    }

    /// Answers everything with success, LE features with these bits.
    static func obedient(features: UInt64 = 0) -> Answer {
        { command in
            command.opcode == .leReadLocalSupportedFeatures
                ? [complete(command, .success, (0..<8).map { UInt8(truncatingIfNeeded: features >> UInt64(8 * $0)) })]
                : [complete(command)]
        }
    }
}
