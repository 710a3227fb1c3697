import Beacon
import Foundation
import HCI
import Radio
import Synchronization
import TestSupport
import Testing

/// The controller's end of a serial line: the other side of a pseudoterminal. openpty(3).
private final class LineEnd {
    private let descriptor: Int32
    /// What a host opens.
    let device: String

    init() throws {
        var (end, line): (Int32, Int32) = (-1, -1)
        guard openpty(&end, &line, nil, nil, nil) == 0 else {
            throw RunningProgram.Failure(description: "no pseudoterminal: \(String(cString: strerror(errno)))")
        }
        descriptor = end
        device = ttyname(line).map { String(cString: $0) } ?? ""
        close(line)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    /// What the host has sent since the last call; nil where nobody has the line open.
    func received() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 || errno == EAGAIN else { return nil }
        return Array(buffer.prefix(max(0, count)))
    }

    func send(_ octets: [UInt8]) -> Bool {
        write(descriptor, octets, octets.count) == octets.count
    }
}

/// Keeps the packets that a transport delivers.
private final class Ear: PacketReceiver {
    private let heard = Mutex<[[UInt8]]>([])

    var packets: [[UInt8]] { heard.withLock { $0 } }

    func receive(_ packet: RawSpan, at time: Timestamp) {
        let octets = packet.withUnsafeBytes { Array($0) }
        heard.withLock { $0.append(octets) }
    }

    func transportDidClose(_ error: RadioError?) {}
}

@Suite("A serial line", .timeLimit(.minutes(10)))
struct SerialLineTests {
    @Test("carries commands and events, and is open to others when the transport is closed")
    func bothWays() async throws {
        let (end, ear) = (try LineEnd(), Ear())
        let transport = H4Transport(.serial(device: end.device, baud: 115_200))
        try await transport.open(delivering: ear)
        try await transport.send(Command.reset.packet)
        var sent: [UInt8] = []
        try await waitUntil("the command comes") {
            sent += end.received() ?? []
            return sent.count >= Command.reset.packet.count
        }
        #expect(sent == Command.reset.packet)
        let answer: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
        #expect(end.send(answer))
        try await waitUntil("the answer comes") { !ear.packets.isEmpty }
        #expect(ear.packets == [answer])
        await transport.close()
        try await waitUntil("no descriptor of the line is left") { end.received() == nil }
    }

    @Test("says that a device is none, or why it cannot be opened", arguments: [
        ("/dev/null", "is no serial line"), ("/dev/tty-of-nobody", "cannot open the serial line"),
    ])
    func none(device: String, problem: String) async throws {
        let transport = H4Transport(.serial(device: device, baud: 115_200))
        let error = await #expect(throws: RadioError.self) { try await transport.open(delivering: Ear()) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.problem.hasPrefix(problem) == true, "\(error?.problem ?? "")")
    }
}
