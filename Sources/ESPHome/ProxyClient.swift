package import Beacon
import Connecting
import Glibc
import NIOCore
import NIOPosix
import Platform
package import Text

/// Keeps a connection to a Bluetooth proxy until the task is cancelled.
package struct ProxyClient: Sendable {
    package enum News: Sendable {
        case listening(name: String, version: String)
        case sightings([Sighting])
        /// Advertisements were received, but none of an iBeacon.
        case advertisements
        case scanner(isRunning: Bool)
        /// The next attempt comes after `retry` seconds. `isNews` is false for a problem that was reported before,
        /// without a good connection since.
        case lost(ProxyProblem, retry: Double, isNews: Bool)
    }

    /// The port of ESPHome's native API.
    package static let port: UInt16 = 6053
    /// Seconds; a connection that lasts longer counts as good.
    private static let stableAfter = 30.0
    private static let longestPause = 60.0

    private let host: String
    private let port: UInt16
    private let key: ProxyKey?
    private let client: String
    private let limit: Duration
    private let sink: @Sendable (News) -> Void

    /// - Parameters:
    ///   - client: the name of this program for the proxy.
    ///   - limit: the time limit for a connection.
    ///   - sink: called in order, one at a time.
    package init(
        _ address: HostPort, key: ProxyKey?, client: String, connectingWithin limit: Duration = .seconds(10),
        sink: @escaping @Sendable (News) -> Void
    ) {
        host = address.host
        port = address.port ?? Self.port
        self.key = key
        self.client = client
        self.limit = limit
        self.sink = sink
    }

    package func run() async {
        var backoff = Backoff(longest: Self.longestPause, stableAfter: Self.stableAfter)
        var told: ProxyProblem?
        while !Task.isCancelled {
            let began = Self.now
            let problem: ProxyProblem
            do {
                problem = try await connect()
            } catch let error as ProxyProblem {
                problem = error
            } catch {
                problem = ProxyProblem("it cannot be reached: \(Self.reason(error))", "is it on, and in this network?")
            }
            guard !Task.isCancelled else { return }
            let lasted = Self.now - began
            if lasted > Self.stableAfter { told = nil }
            let pause = backoff.next(after: lasted)
            sink(.lost(problem, retry: pause, isNews: problem != told))
            told = problem
            try? await Task.sleep(for: .seconds(pause))
        }
    }

    private static var now: Double { SteadyClock.elapsed / .seconds(1) }

    private static func reason(_ error: any Error) -> String {
        if let error = error as? NIOConnectionError {
            return error.connectionErrors.first.map { reason($0.error) } ?? "its name is not known"
        }
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        if case .connectTimeout(let limit)? = error as? ChannelError {
            return "it does not answer within \(limit.nanoseconds / 1_000_000_000) s"
        }
        return "\(error)"
    }

    /// - Returns: why the connection has ended.
    private func connect() async throws -> ProxyProblem {
        let attempt = ConnectionAttempt(
            within: limit,
            preparing: { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: $0) })
        let channel = try await attempt.connection(to: host, port: port)
        return try await channel.executeThenClose { inbound, outbound in
            let session = ProxySessionBox(try ProxySession(key: key, client: client, at: Self.now), outbound)
            try await session.open()
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for try await octets in inbound {
                        for news in try await session.take(Array(octets.readableBytesView), at: Self.now) { tell(news) }
                    }
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: .seconds(1))
                        try await session.tick(at: Self.now)
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            return await session.end
        }
    }

    private func tell(_ news: ProxySession.News) {
        switch news {
        case .listening(let name, let version): sink(.listening(name: name, version: version))
        case .scanner(let isRunning): sink(.scanner(isRunning: isRunning))
        case .advertisements(let advertisements):
            let time = WallClock.now
            let sightings = advertisements.compactMap { $0.sighting(at: time) }
            sink(sightings.isEmpty ? .advertisements : .sightings(sightings))
        }
    }
}

/// A session for two tasks: one reads, the other keeps the time. Encrypted octets are sent before anything else is
/// encrypted, because the proxy counts messages for decryption.
private actor ProxySessionBox {
    private var session: ProxySession
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    /// The actor alone would let the other task in while one of them sends.
    private let turn = AsyncSemaphore(value: 1)

    init(_ session: ProxySession, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
        self.session = session
        self.outbound = outbound
    }

    var end: ProxyProblem { session.end }

    /// Sends the opening octets.
    func open() async throws {
        try await send(session.opening)
    }

    func take(_ octets: [UInt8], at now: Double) async throws -> [ProxySession.News] {
        await turn.wait()
        defer { turn.signal() }
        let output = try session.take(octets, at: now)
        try await send(output.octets)
        return output.news
    }

    func tick(at now: Double) async throws {
        await turn.wait()
        defer { turn.signal() }
        try await send(try session.tick(at: now))
    }

    private func send(_ octets: [UInt8]) async throws {
        guard !octets.isEmpty else { return }
        try await outbound.write(ByteBuffer(bytes: octets))
    }
}

extension ProxyMessage.Advertisement {
    /// Nil if it contains no iBeacon.
    package func sighting(at time: Timestamp) -> Sighting? {
        guard let beacon = IBeacon.first(in: payload.span.bytes) else { return nil }
        return Sighting(
            time: time, address: address, addressType: isRandomAddress ? .random : .public,
            rssi: Int8(exactly: rssi).flatMap { $0 == 127 ? nil : $0 }, beacon: beacon)
    }
}
