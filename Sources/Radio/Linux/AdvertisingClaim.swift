import Beacon
import Glibc
import HCI
import Synchronization

/// Which advertising sets of a shared adapter belong to this process, among all processes that advertise with this
/// library.
///
/// A claim is a name in the kernel's abstract socket namespace (unix(7)). It needs no file and no privilege, only one
/// process can have it, and it disappears with its process, however that ends. So a set without a claim was left by a
/// killed program.
package final class AdvertisingClaim: Sendable {
    /// How many programs or beacons can share an adapter this way.
    static let limit: UInt8 = 8

    private let own: [Claimed]
    private let leftovers: Mutex<[Claimed]>

    private struct Claimed: Sendable {
        var number: UInt8
        var descriptor: Int32
    }

    /// Claims up to `count` sets.
    ///
    /// - Throws: `refused` if all are taken.
    package init(adapter: String, count: Int = 1) async throws(RadioError) {
        var free: [Claimed] = []
        // Another program that is starting holds all free sets for a moment.
        for attempt in 0..<100 {
            free = (0..<Self.limit).compactMap { Self.claim($0, adapter) }
            guard free.isEmpty, attempt < 99 else { break }
            try? await Task.sleep(for: .milliseconds(50))
        }
        guard !free.isEmpty else {
            throw RadioError(
                .refused, at: adapter, "\(Self.limit) other programs advertise with it already",
                remedy: "end one of them (pgrep -af beacon-advertise), or use another adapter")
        }
        own = Array(free.prefix(max(1, count)))
        leftovers = Mutex(Array(free.dropFirst(max(1, count))))
    }

    package var sets: AdvertisingSets {
        AdvertisingSets(
            handles: own.map { .shared($0.number) }, leftovers: leftovers.withLock { $0.map { .shared($0.number) } },
            isFirstTaken: own.first?.number != 0)
    }

    /// Releases the claims on leftover sets, which have been taken off the air: others may claim them now.
    package func releaseLeftovers() {
        let released = leftovers.withLock { leftovers in
            defer { leftovers = [] }
            return leftovers
        }
        for claimed in released { close(claimed.descriptor) }
    }

    deinit {
        for claimed in own + leftovers.withLock({ $0 }) { close(claimed.descriptor) }
    }

    private static func claim(_ number: UInt8, _ adapter: String) -> Claimed? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // A zero octet in front makes the name abstract.
        let name = [0] + Array("beacond/advertise/\(adapter)/\(number)".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isNamed = withUnsafeMutableBytes(of: &address.sun_path) { path in
            guard name.count <= path.count else { return false }
            path.copyBytes(from: name)
            return true
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isBound =
            isNamed
            && withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
            }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return Claimed(number: number, descriptor: descriptor)
    }
}
