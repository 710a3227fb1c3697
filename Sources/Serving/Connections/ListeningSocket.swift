import CSystemd
import Glibc
import NIOCore
import Platform
package import Settings
import Text

/// A listening socket.
///
/// The owner of a Unix socket holds the lock file beside it. The owner replaces a socket that an ended program has left
/// there. It never replaces another kind of file or a socket on which a program listens.
package final class ListeningSocket: Sendable {
    package let descriptor: Int32
    /// For messages.
    package let name: String
    private let path: String?
    private let lock: Int32?
    /// Identifies the socket's file.
    private let file: FileNumber?

    private init(descriptor: Int32, name: String, path: String? = nil, lock: Int32? = nil, file: FileNumber? = nil) {
        self.descriptor = descriptor
        self.name = name
        self.path = path
        self.lock = lock
        self.file = file
    }

    /// Removes the socket's file, unless another program has replaced it. The channel closes the descriptor.
    package func release() {
        if let path, let file, FileNumber(of: path, followsLink: false) == file { unlink(path) }
        if let lock { FileLock.release(lock) }
    }

    /// The same for a socket that no channel has taken over: also closes it.
    package func discard() {
        release()
        close(descriptor)
    }

    // MARK: - systemd

    /// The sockets that systemd passes to this service. The originals stay open, so that this can be called again.
    ///
    /// - Parameter isUnix: returns Unix sockets; otherwise network sockets.
    package static func inherited(isUnix: Bool) throws(SocketError) -> [ListeningSocket] {
        let count = sd_listen_fds(0)
        guard count > 0 else { return [] }
        var sockets: [ListeningSocket] = []
        for descriptor in SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count) {
            let isMeant =
                isUnix
                ? sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
                : sd_is_socket_inet(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1, 0) > 0
            guard isMeant else { continue }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else {
                let error = errno
                for socket in sockets { socket.discard() }
                throw SocketError("a socket of systemd", "it cannot be used", error)
            }
            sockets.append(
                ListeningSocket(descriptor: copy, name: isUnix ? "a socket of systemd" : "a port of systemd"))
        }
        return sockets
    }

    /// Whether only programs on this host can reach it. For network sockets.
    package var isLoopback: Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0
                    ? getnameinfo(address, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) : -1
            }
        }
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return result == 0 && (name == "::1" || name.hasPrefix("127."))
    }

    /// The port of a network socket, even if the system has chosen it; nil for other sockets.
    package var port: UInt16? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
                guard getsockname(descriptor, address, &size) == 0,
                    getnameinfo(address, size, nil, 0, &service, socklen_t(service.count), NI_NUMERICSERV) == 0
                else { return nil }
                return UInt16(String(decoding: service.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
        }
    }

    // MARK: - Own sockets

    /// Creates the Unix socket, accessible to its owner and its group.
    package static func bound(to path: String) throws(SocketError) -> ListeningSocket {
        guard let address = Self.address(of: path) else {
            throw SocketError(
                path, "a socket's path has at most \(ControlSocket.longestPath) octets, not \(path.utf8.count)", nil)
        }
        makeFolder(of: path)
        let lock = try locked(path)
        var isKept = false
        defer { if !isKept { FileLock.release(lock) } }
        try removeStale(path, address)
        let descriptor = try unixSocket(for: path)
        do throws(SystemFailure) {
            try listen(descriptor, at: path, address)
        } catch {
            close(descriptor)
            throw SocketError(path, "it cannot be listened on", error.code)
        }
        isKept = true
        return ListeningSocket(
            descriptor: descriptor, name: path, path: path, lock: lock, file: FileNumber(of: path, followsLink: false))
    }

    /// A socket that has a name but does not listen yet refuses clients. So it first gets another name, if there is
    /// room for one.
    private static func listen(_ descriptor: Int32, at path: String, _ address: sockaddr_un) throws(SystemFailure) {
        // Set before the socket has a name, so that nobody else can open it in between.
        fchmod(descriptor, 0o660)
        let first = path + ".new"
        guard let firstAddress = Self.address(of: first) else {
            guard setName(descriptor, to: address) == 0, Glibc.listen(descriptor, backlog) == 0 else {
                throw SystemFailure()
            }
            chmod(path, 0o660)
            return
        }
        if FileNumber(of: first, followsLink: false)?.isSocket == true { unlink(first) }
        guard setName(descriptor, to: firstAddress) == 0 else { throw SystemFailure() }
        defer { unlink(first) }
        chmod(first, 0o660)
        guard Glibc.listen(descriptor, backlog) == 0 else { throw SystemFailure() }
        // Unlike a renamed file, a link replaces nothing. Some file systems and security profiles do not allow links.
        guard link(first, path) == 0 || errno != EEXIST && rename(first, path) == 0 else { throw SystemFailure() }
    }

    private static func setName(_ descriptor: Int32, to address: sockaddr_un) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Nil for a path that is too long.
    private static func address(of path: String) -> sockaddr_un? {
        let octets = Array(path.utf8)
        guard octets.count <= ControlSocket.longestPath else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
        return address
    }

    private static func unixSocket(for path: String) throws(SocketError) -> Int32 {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError(path, "no socket can be made", errno) }
        return descriptor
    }

    /// Removes the socket of a daemon that has ended. Another kind of file, or a socket on which a program listens, is
    /// an error.
    private static func removeStale(_ path: String, _ address: sockaddr_un) throws(SocketError) {
        guard let file = FileNumber(of: path, followsLink: false) else { return }
        let remedy = "name another path with --socket or control.socket"
        guard file.isSocket else {
            throw SocketError(path, "a file is there that is no socket", nil, remedy: "remove it, or \(remedy)")
        }
        let probe = try unixSocket(for: path)
        defer { close(probe) }
        let result = connected(probe, to: address)
        // A socket whose program has ended refuses; a busy one does not.
        guard result != 0, errno == ECONNREFUSED else {
            throw SocketError(path, "another program listens there", nil, remedy: "end that one, or \(remedy)")
        }
        unlink(path)
    }

    private static func connected(_ descriptor: Int32, to address: sockaddr_un) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Listens on a TCP port.
    package static func bound(to address: ListenAddress) throws(SocketError) -> ListeningSocket {
        guard let target = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) else {
            throw SocketError("\(address)", "it is no address", nil)
        }
        let family = target.protocol == .inet6 ? AF_INET6 : AF_INET
        let descriptor = socket(
            family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError("\(address)", "no socket can be made", errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = target.withSockAddr { pointer, size in bind(descriptor, pointer, socklen_t(size)) }
        guard result == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let error = errno
            close(descriptor)
            let remedy = error == EACCES ? "name a port from 1024 on: only the administrator has those below" : nil
            throw SocketError("\(address)", "it cannot be listened on", error, remedy: remedy)
        }
        return ListeningSocket(descriptor: descriptor, name: "http://\(address)")
    }

    private static let backlog: Int32 = 128

    /// If the folder cannot be created, `bind` reports the error.
    private static func makeFolder(of path: String) {
        mkdir(PathText.folder(of: path), 0o755)
    }

    private static func locked(_ path: String) throws(SocketError) -> Int32 {
        switch FileLock.take(path + ".lock") {
        case .held(let lock): return lock
        case .busy:
            throw SocketError(
                path, "another beacond has it", nil, remedy: "end that one, or give this one another with --socket")
        case .failed(let failure): throw SocketError(path, "its lock cannot be made", failure.code)
        }
    }
}

/// Why the daemon cannot listen for requests.
package struct SocketError: ExplainedError {
    package let place: String
    package let problem: String
    package let remedy: String

    package init(_ place: String, _ cause: String, _ number: Int32?, remedy: String? = nil) {
        self.place = place
        problem = cause + (number.map { ": \(String(cString: strerror($0)))" } ?? "")
        self.remedy = remedy ?? Self.remedy(number)
    }

    private static func remedy(_ number: Int32?) -> String {
        switch number {
        case EACCES, EPERM, EROFS, ENOENT: "name another with --socket or control.socket, or none"
        case EADDRINUSE: "name another, or end the program that has it"
        case EADDRNOTAVAIL: "name an address that this host has"
        default: "name another"
        }
    }
}
