import Foundation

/// A port at which connections wait: its queue is full, and nobody accepts one. listen(2).
package final class FullPort {
    /// At 127.0.0.1.
    package let number: Int
    private var descriptors: [Int32] = []
    /// The ports from which the queue was filled. Their connections are given up after two minutes.
    private var own: Set<UInt16> = []

    /// - Throws: if there is no free port.
    package init() throws {
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
            var local = sockaddr_in()
            _ = withUnsafeMutablePointer(to: &local) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(client, $0, &size) }
            }
            own.insert(UInt16(bigEndian: local.sin_port))
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// How many connections of others wait for an answer. proc_net_tcp.rst: the second field is this end's, the third
    /// the other end's, and 02 in the fourth is SYN_SENT.
    package func waiting() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n")
        return lines.count { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "02", Self.port(of: fields[2]) == UInt16(number) else { return false }
            return Self.port(of: fields[1]).map { !own.contains($0) } ?? false
        }
    }

    /// - Parameter end: `0100007F:1F90`.
    private static func port(of end: Substring) -> UInt16? {
        end.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
}
