import Glibc
import Platform
package import Settings
import Text

// Finds the daemon to ask.
extension ControlSocket {
    /// The paths at which a client looks for a daemon, the likeliest first. Empty for none.
    ///
    /// - Parameter chosen: the value of `--socket`.
    package static func candidates(_ chosen: String?, _ environment: [String: String]) -> [String] {
        if let path = chosen ?? environment[variable].flatMap({ $0.isEmpty ? nil : $0 }) {
            return path == "none" ? [] : [path]
        }
        let mine = own(environment)
        return mine == system ? [system] : [mine, system]
    }

    /// Whether a daemon listens at a socket.
    package enum Finding: Equatable, Sendable {
        case running
        /// There is no socket, or no process listens at it.
        case absent
        case denied
        case failed(String)
    }

    /// Tries to connect, without sending a request.
    package static func look(_ path: String) -> Finding {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let octets = Array(path.utf8)
        guard octets.count <= longestPath else { return .failed("the path is too long") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
        // Non-blocking: if a hanging daemon's backlog is full, connect(2) would wait for ever.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return .failed(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result != 0 else { return .running }
        switch errno {
        case EAGAIN: return .running
        case ENOENT, ECONNREFUSED, ENOTDIR: return .absent
        case EACCES, EPERM: return .denied
        default: return .failed(String(cString: strerror(errno)))
        }
    }

    /// The socket of the running daemon; nil if none is running.
    ///
    /// - Parameter chosen: the value of `--socket`. A daemon must listen there.
    /// - Throws: if access is denied; the failure says what to do.
    package static func find(_ chosen: String?, _ environment: [String: String]) throws(CommandFailure) -> String? {
        for path in candidates(chosen, environment) {
            switch look(path) {
            case .running: return path
            case .absent where chosen == nil: continue
            case .absent:
                guard FileNumber(of: path)?.isSocket != false else {
                    throw CommandFailure("\(path): this is no socket; name the daemon's with --socket")
                }
                throw CommandFailure(
                    "\(path): no daemon listens there; start it with beacond --socket "
                        + shellWord(PathText.absolute(path)))
            case .denied:
                throw CommandFailure(
                    "\(path): you may not ask the daemon; members of the group beacond may: "
                        + "sudo usermod --append --groups beacond \"$USER\", then log in again (or use sudo)")
            case .failed(let problem): throw CommandFailure("\(path): \(problem)")
            }
        }
        return nil
    }
}
