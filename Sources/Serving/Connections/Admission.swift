import NIOCore
import Platform
import Synchronization

/// Limits the number of connections, in total and from one address.
final class Admission: Sendable {
    private let maximum: Int
    private let maximumOfAddress: Int
    private let counts = Mutex<[HostNetwork: Int]>([:])
    private let all: ConnectionLimit
    /// Shared by all sockets.
    private let descriptors: ConnectionLimit

    init(
        maximum: Int, maximumOfAddress: Int, descriptors: ConnectionLimit = DescriptorReserve.clients
    ) {
        self.maximum = maximum
        self.maximumOfAddress = maximumOfAddress
        self.descriptors = descriptors
        all = ConnectionLimit(maximum: maximum)
    }

    /// Admits a client from an address; refuses it if there are too many.
    func admit(_ address: SocketAddress?) -> Client {
        guard let descriptor = descriptors.take(), let place = all.take() else {
            return Client(refusal: Self.refused("too many connections"))
        }
        // A Unix socket has no address: the mode of its file decides who may connect.
        guard let origin = address?.ipAddress.flatMap({ HostNetwork($0) }) else {
            return Client(places: [descriptor, place])
        }
        // Connections from this host may come from many clients, through a proxy.
        let limit = origin.isLoopback ? max(maximumOfAddress, maximum / 2) : maximumOfAddress
        let isAdmitted = counts.withLock { counts in
            guard counts[origin, default: 0] < limit else { return false }
            counts[origin, default: 0] += 1
            return true
        }
        guard isAdmitted else {
            return Client(refusal: Self.refused("too many connections from your address"))
        }
        return Client(places: [descriptor, place, Leaving { [self] in release(origin) }])
    }

    private func release(_ origin: HostNetwork) {
        counts.withLock { counts in
            let count = counts[origin, default: 0] - 1
            counts[origin] = count > 0 ? count : nil
        }
    }

    private static func refused(_ problem: String) -> Refusal {
        Refusal(503, problem, whatToDo: "end some of them, or ask again later", retryAfter: 5)
    }

    private final class Leaving: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }

        deinit {
            body()
        }
    }
}

/// The descriptors that clients may use. The rest is for radios, files and the content site.
enum DescriptorReserve {
    /// Reserved for other uses.
    static let kept = 128

    /// Connections on all sockets together.
    static let clients = ConnectionLimit(maximum: most(ofLimit: DescriptorLimit.current))

    /// Each client can need two: its connection, and a file that is being sent.
    static func most(ofLimit limit: Int) -> Int {
        max(8, (limit - kept) / 2)
    }
}
