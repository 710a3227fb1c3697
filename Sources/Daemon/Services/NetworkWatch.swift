import CLinux
import Console
import Glibc
import Synchronization

/// Reports that other hosts may have become reachable: a new address, a new route, or a link that is up again. It
/// reads the kernel's route socket (rtnetlink(7)), without polling or privileges. The socket is the one that systemd
/// passes (beacond-network.socket), so that the service needs no right to open sockets of that family, or else its
/// own.
enum NetworkWatch {
    static func begin() -> DescriptorWatch {
        let state = NetworkState()
        let socket = ServiceManager.socket(family: AF_NETLINK) ?? clinux_route_socket()
        return DescriptorWatch(socket, label: "network") { state.read($0) }
    }
}

private final class NetworkState: Sendable {
    private let changes = Mutex(NetworkChanges())

    func read(_ descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var found = false
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                if changes.withLock({ $0.bringWay(buffer.span.bytes.extracting(0..<count)) }) { found = true }
            } else if count < 0, errno == ENOBUFS {
                // The kernel has lost a message, which may have been such a change.
                found = true
            } else if count == 0 || errno != EINTR {
                return found
            }
        }
    }
}

/// The route messages that can mean that other hosts are reachable again. rtnetlink(7).
package struct NetworkChanges {
    /// Links that are running.
    private var carrying: Set<UInt32> = []

    package init() {}

    /// Whether one of the messages says that other hosts may be reachable. Numbers are in the host's byte order.
    package mutating func bringWay(_ messages: RawSpan) -> Bool {
        var found = false
        var offset = 0
        while offset + 16 <= messages.byteCount {
            let length = Int(messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
            guard length >= 16, length <= messages.byteCount - offset else { break }
            let type = messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 4, as: UInt16.self)
            if Int32(type) == RTM_NEWADDR || Int32(type) == RTM_NEWROUTE {
                found = true
            } else if Int32(type) == RTM_NEWLINK || Int32(type) == RTM_DELLINK, length >= 32 {
                // struct ifinfomsg: the index and the flags are its second and third words.
                let index = messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 20, as: UInt32.self)
                let flags = messages.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 24, as: UInt32.self)
                // Wireless scans report the same state again and again. A link may be removed while it runs.
                if Int32(type) == RTM_DELLINK || flags & UInt32(IFF_RUNNING) == 0 {
                    carrying.remove(index)
                } else if carrying.insert(index).inserted {
                    found = true
                }
            }
            offset += (length + 3) & ~3
        }
        return found
    }
}
