import Foundation

/// A port at which connections wait: its queue is full, and nobody accepts one. listen(2).
package final class FullPort: Sendable {
    /// At 127.0.0.1.
    package let number: Int
    private let listener: Int32
    /// They fill the queue. The kernel gives up after two minutes those that wait.
    private let clients: [Int32]
    private let ownPorts: Set<UInt16>

    /// - Throws: if there is no free port.
    package init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isListening =
            withLoopbackAddress(port: 0) { bind(listener, $0, $1) } == 0 && listen(listener, 0) == 0
        guard isListening, let port = localPort(of: listener) else {
            let reason = String(cString: strerror(errno))
            close(listener)
            throw RunningProgram.Failure(description: "no port: \(reason)")
        }
        self.listener = listener
        number = Int(port)
        clients = (0..<4).map { _ in
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let client = socket(AF_INET, kind, 0)
            _ = withLoopbackAddress(port: port) { connect(client, $0, $1) }
            return client
        }
        ownPorts = Set(clients.compactMap(localPort(of:)))
    }

    deinit {
        for descriptor in clients + [listener] { close(descriptor) }
    }

    /// Calls `action` as soon as a connection of another waits for an answer.
    ///
    /// Both happen on a thread of their own. The kernel gives a connection up after two minutes, and where many tests
    /// share few threads, a test may get no turn for longer.
    ///
    /// - Throws: if none comes in time.
    package func atFirstConnection(_ action: @escaping @Sendable () -> Void) async throws {
        let limit = Duration.seconds(540)
        let hasCome = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(
                    with: Result {
                        let hasCome = try blockUntil(within: limit) { try waiting() > 0 }
                        if hasCome { action() }
                        return hasCome
                    })
            }
        }
        guard hasCome else {
            throw RunningProgram.Failure(description: "waited \(limit) for a connection to port \(number)")
        }
    }

    /// How many connections of others wait for an answer. proc_net_tcp.rst: the second field is this end's, the third
    /// the other end's, and 02 in the fourth is SYN_SENT.
    package func waiting() throws -> Int {
        let lines = try kernelText("/proc/net/tcp").split(separator: "\n")
        return lines.count { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "02", Self.port(of: fields[2]) == UInt16(number) else { return false }
            return Self.port(of: fields[1]).map { !ownPorts.contains($0) } ?? false
        }
    }

    /// - Parameter end: `0100007F:1F90`.
    private static func port(of end: Substring) -> UInt16? {
        end.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
}

/// The port of this end of a socket; nothing if it has none.
private func localPort(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
}
