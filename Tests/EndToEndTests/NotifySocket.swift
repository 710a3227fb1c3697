import Foundation
import Testing

/// systemd's end of sd_notify(3).
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        try #require(Self.withAddress(path) { bind(descriptor, $0, $1) } == 0)
    }

    private static func withAddress(_ path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Takes all room that the kernel has for messages, so that who sends another one waits.
    func fill() throws {
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        defer { close(sender) }
        try #require(Self.withAddress(path) { connect(sender, $0, $1) } == 0)
        while send(sender, "X=1", 3, 0) == 3 {}
        try #require(errno == EAGAIN)
    }

    deinit { close(descriptor) }

    /// Everything that has come since the last call.
    func received() -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            text += String(decoding: buffer[..<count], as: UTF8.self) + "\n"
        }
        return text
    }
}
