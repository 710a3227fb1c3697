import Foundation
import TestSupport
import Testing

/// systemd's end of sd_notify(3).
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    /// Programs that other tests start meanwhile must not keep it open.
    private static let kind =
        Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Self.kind, 0)
        try #require(withUnixAddress(path: path) { bind(descriptor, $0, $1) } == 0)
    }

    /// Takes all room that the kernel has for messages, so that who sends another one waits.
    func fill() throws {
        let sender = socket(AF_UNIX, Self.kind, 0)
        defer { close(sender) }
        try #require(withUnixAddress(path: path) { connect(sender, $0, $1) } == 0)
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
