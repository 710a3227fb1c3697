import Foundation
import Synchronization

/// A listening socket that takes connections (as the kernel does by itself) and never says anything by itself.
package final class SilentSocket: Sendable {
    package let path: String
    private let descriptor: Int32
    private let folder: String
    /// The connection that was answered.
    private let answered = Mutex<Int32>(-1)

    /// - Parameter room: how many clients may wait to be accepted, besides the first. None ever is.
    package init(room: Int32 = 4) throws {
        folder = try temporaryFolder("silent")
        path = "\(folder)/socket"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isBound = withUnixAddress(path: path) { bind(descriptor, $0, $1) } == 0
        guard isBound, listen(descriptor, room) == 0 else {
            throw RunningProgram.Failure(description: "no socket at \(path)")
        }
    }

    /// Says this to the first who asks, and then nothing more. The connection stays open. Who leaves without a word has
    /// only looked whether the socket is there.
    package func answer(_ text: String) {
        Thread.detachNewThread { [self] in
            var request = [UInt8](repeating: 0, count: 65_536)
            var client = accept(descriptor, nil, nil)
            while client >= 0, read(client, &request, request.count) == 0 {
                close(client)
                client = accept(descriptor, nil, nil)
            }
            answered.withLock { [client] in $0 = client }
            _ = text.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        }
    }

    deinit {
        answered.withLock { if $0 >= 0 { close($0) } }
        close(descriptor)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
