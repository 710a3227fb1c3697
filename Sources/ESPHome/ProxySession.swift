/// One connection to a Bluetooth proxy. A plain value: it takes octets and instants, and returns octets and news.
package struct ProxySession: Sendable {
    package enum News: Hashable, Sendable {
        /// The proxy sends advertisements from now on.
        case listening(name: String, version: String)
        case advertisements([ProxyMessage.Advertisement])
        /// Whether the proxy's scanner runs.
        case scanner(isRunning: Bool)
    }

    /// The result of received octets: octets to send, and news.
    package struct Output: Hashable, Sendable {
        package var octets: [UInt8] = []
        package var news: [News] = []

        package init() {}
    }

    /// Seconds until the proxy must have introduced itself.
    static let greeting = 20.0
    /// Seconds between two pings, and seconds of silence after which the connection counts as lost.
    package static let pingInterval = 20.0
    package static let longestSilence = 65.0
    /// `FEATURE_RAW_ADVERTISEMENTS` of its features (ESPHome, bluetooth_proxy.h).
    private static let rawAdvertisements: UInt64 = 1 << 5

    private var plain = PlainFraming()
    /// Nil without encryption.
    private var noise: NoiseFraming?
    private let client: String
    private var hasGreeted = false
    private var isListening = false
    private var began: Double
    private var lastHeard: Double
    private var lastPing: Double
    /// The octets that are sent first.
    package private(set) var opening: [UInt8] = []

    /// - Parameters:
    ///   - key: nil for a connection without encryption.
    ///   - client: the name of this program for the proxy.
    ///   - now: seconds of any steady clock.
    package init(key: ProxyKey?, client: String, at now: Double) throws(ProxyProblem) {
        self.client = client
        (began, lastHeard, lastPing) = (now, now, now)
        if let key {
            let noise = try NoiseFraming(key: key)
            opening = noise.opening
            self.noise = noise
        } else {
            opening = try greet()
        }
    }

    private mutating func greet() throws(ProxyProblem) -> [UInt8] {
        hasGreeted = true
        return try octets([ProxyRequest.hello(client), ProxyRequest.login, ProxyRequest.deviceInfo])
    }

    private mutating func octets(_ frames: [ProxyFrame]) throws(ProxyProblem) -> [UInt8] {
        var octets: [UInt8] = []
        for frame in frames {
            if let sealed = try noise?.octets(frame) {
                octets += sealed
            } else {
                octets += PlainFraming.octets(frame)
            }
        }
        return octets
    }

    private mutating func next() throws(ProxyProblem) -> ProxyFrame? {
        if noise != nil { return try noise?.next() }
        return try plain.next()
    }

    private var isReady: Bool { noise?.isReady ?? true }

    /// Takes octets as they arrive.
    ///
    /// - Throws: if this connection cannot continue.
    package mutating func take(_ octets: [UInt8], at now: Double) throws(ProxyProblem) -> Output {
        lastHeard = now
        if noise == nil { plain.add(octets) } else { noise?.add(octets) }
        var output = Output()
        while let frame = try next() {
            guard let message = ProxyMessage(frame) else {
                throw ProxyProblem("it sends a message that cannot be read")
            }
            try take(message, &output)
        }
        if isReady, !hasGreeted { output.octets += try greet() }
        return output
    }

    private mutating func take(_ message: ProxyMessage, _ output: inout Output) throws(ProxyProblem) {
        switch message {
        case .hello(let major, _):
            guard (1...2).contains(major) else {
                throw ProxyProblem("it has version \(major) of the API, which is not known")
            }
        case .login(isRefused: true):
            throw ProxyProblem(
                "it wants a password", "use encryption instead: api: encryption: key: in its configuration")
        case .ping: output.octets += try octets([ProxyRequest.pong])
        case .disconnect: throw ProxyProblem("it has ended the connection")
        case .device(let name, let version, let features):
            guard features != 0 else {
                throw ProxyProblem("it is no Bluetooth proxy", "add bluetooth_proxy: to its configuration")
            }
            guard features & Self.rawAdvertisements != 0 else {
                throw ProxyProblem("its firmware does not send advertisements as they are", "update it")
            }
            guard !isListening else { return }
            isListening = true
            output.octets += try octets([ProxyRequest.advertisements])
            output.news.append(.listening(name: name, version: version))
        case .advertisements(let advertisements): output.news.append(.advertisements(advertisements))
        case .scanner(let isRunning): output.news.append(.scanner(isRunning: isRunning))
        case .login, .pong, .disconnected, .other: break
        }
    }

    /// Why the proxy has ended the connection.
    package var end: ProxyProblem {
        if isListening { return ProxyProblem("it has ended the connection") }
        return noise == nil
            ? ProxyProblem(
                "it ends the connection at once", "does it want encryption? Name its key: --encryption-key-file")
            : ProxyProblem("it ends the connection at once", "does its api: have an encryption key?")
    }

    /// Returns the octets to send at this time.
    ///
    /// - Throws: if the proxy does not answer any more.
    package mutating func tick(at now: Double) throws(ProxyProblem) -> [UInt8] {
        guard isListening || now - began < Self.greeting else {
            throw ProxyProblem("it does not say what it is", "is it an ESPHome device?")
        }
        guard now - lastHeard < Self.longestSilence else { throw ProxyProblem("it does not answer any more") }
        guard isListening, now - lastPing >= Self.pingInterval else { return [] }
        lastPing = now
        return try octets([ProxyRequest.ping])
    }
}
