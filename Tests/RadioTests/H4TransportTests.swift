import Beacon
import Foundation
import Radio
import TestSupport
import Testing

/// A port at which connections wait: its queue is full, and nobody accepts one. listen(2).
private final class FullPort {
    let number: Int
    private var descriptors: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        descriptors.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else {
            throw RunningProgram.Failure(description: "no port: \(String(cString: strerror(errno)))")
        }
        for _ in 0..<4 {
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let client = socket(AF_INET, kind, 0)
            descriptors.append(client)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
            }
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}

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
    }
}
