import CMosquitto
import Glibc
import Platform
package import Settings

/// One connection of libmosquitto, for one thread. libmosquitto(3).
///
/// The caller does the waiting: it polls `descriptor` and calls `read`, `write` and `tend`.
package final class MosquittoClient {
    package enum Event: Sendable {
        /// The broker's answer to the connection. MQTT 3.1.1, section 3.2.2.3: 0 means accepted.
        case answered(Int32)
        /// The broker (at QoS 0 the kernel) has accepted a message.
        case published(Int32)
        /// The broker has answered a subscription.
        case subscribed(isGranted: Bool)
        case message(Message)
    }

    /// A message of another client.
    package struct Message: Hashable, Sendable {
        package var topic: String
        /// Nil if it is larger than this client accepts.
        package var payload: [UInt8]?
        package var isRetained: Bool

        package init(topic: String, payload: [UInt8]?, isRetained: Bool) {
            self.topic = topic
            self.payload = payload
            self.isRetained = isRetained
        }
    }

    /// The purpose of a client.
    package struct Kind: Sendable {
        /// What the broker publishes if this client is lost.
        package var will: Publication?
        /// Whether the broker keeps messages while this client is away.
        package var isLasting = false
        /// The largest message that this client accepts, in bytes.
        package var largestMessage = 0
        /// Packets to read at once.
        package var packetsAtOnce: Int32 = 100

        package init() {}
    }

    /// What has happened since the last `takeEvents`.
    private var events: [Event] = []
    /// The last TLS error of libmosquitto.
    private var lastError: String?
    private var handle: OpaquePointer?
    private let login: BrokerLogin
    /// The node of the cluster that this client connects to.
    package private(set) var broker: BrokerAddress
    private let kind: Kind
    /// Bytes that came since the last complete message or acknowledgement.
    private var octetsOfPacket = 0
    /// Whether the last `read` may have left something that `poll` does not see.
    private(set) var mayHaveMore = false
    /// The error number that `connect` has left, although libmosquitto said nothing of it.
    private var errorOfConnect: Int32 = 0
    /// Octets that were still to be read when the connection was found to be closed.
    private var octetsAtEnd: Int32 = 0

    /// Initialised once for the process.
    private static let library: Int32 = mosquitto_lib_init()

    /// The folder of the system's certificates, in addition to OpenSSL's own; it may be missing.
    private static let authorities = "/etc/ssl/certs"
    /// The keep-alive interval, in seconds.
    private static let keepAlive: Int32 = 30
    /// In bytes. libmosquitto accepts up to 256 MiB, and continues to read while data arrive fast enough. So this limit
    /// is checked only when nothing more can be read.
    private static let largestPacket = 16 << 20
    /// Subscriptions in a packet. Some brokers in a cloud take no more.
    private static let mostPatterns = 8

    /// - Throws: if the settings are wrong.
    package init(_ login: BrokerLogin, _ kind: Kind) throws(BrokerProblem) {
        self.login = login
        broker = login.broker
        self.kind = kind
        guard Self.library == MOSQ_ERR_SUCCESS.rawValue,
            let handle = mosquitto_new(login.client, !kind.isLasting, Unmanaged.passUnretained(self).toOpaque())
        else { throw BrokerProblem("libmosquitto cannot be used: \(String(cString: strerror(errno)))") }
        self.handle = handle
        setCallbacks()
        if let will = kind.will {
            try check(
                mosquitto_will_set(
                    handle, will.topic, Int32(will.payload.utf8.count), will.payload, 1, will.isRetained),
                "the last will is refused")
        }
        if login.broker.user != nil || login.password != nil {
            try check(
                mosquitto_username_pw_set(handle, login.broker.user ?? "", login.password),
                "the user's name or password is refused by libmosquitto")
        }
        if login.broker.isSecure { try secure() }
    }

    deinit {
        mosquitto_destroy(handle)
    }

    private func secure() throws(BrokerProblem) {
        try checkReadable(login.authorityFile, of: login.names.authority)
        try checkReadable(login.certificateFile, of: login.names.certificate)
        try checkReadable(login.keyFile, of: login.names.key)
        if login.authorityFile == nil {
            try check(
                mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "the system's certificates cannot be used")
        }
        // libmosquitto accepts a client certificate only together with authorities.
        try check(
            mosquitto_tls_set(
                handle, login.authorityFile, login.authorityFile == nil ? Self.authorities : nil,
                login.certificateFile, login.keyFile, nil),
            "the certificates cannot be used")
        // The system's trusted certificates are used, and nothing is read from a terminal.
        try check(mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil), "TLS 1.2 cannot be used")
    }

    /// - Parameter key: the setting that names the file.
    private func checkReadable(_ file: String?, of key: String) throws(BrokerProblem) {
        guard let file, access(file, R_OK) != 0 else { return }
        let failure = SystemFailure()
        let remedy = failure.code == EACCES ? "; \(login.names.service.toRead(file))" : ""
        throw BrokerProblem("\(key): \(file) cannot be read: \(failure)\(remedy)")
    }

    private func setCallbacks() {
        mosquitto_connect_callback_set(handle) { _, context, code in
            MosquittoClient.from(context)?.note(.answered(code))
        }
        mosquitto_publish_callback_set(handle) { _, context, identifier in
            MosquittoClient.from(context)?.note(.published(identifier))
        }
        mosquitto_subscribe_callback_set(handle) { _, context, _, count, granted in
            let answers = (0..<max(0, Int(count))).map { granted?[$0] ?? 0x80 }
            MosquittoClient.from(context)?.note(.subscribed(isGranted: answers.allSatisfy { $0 < 3 }))
        }
        mosquitto_message_callback_set(handle) { _, context, message in
            guard let client = MosquittoClient.from(context), let message = message?.pointee, let topic = message.topic
            else { return }
            let octets = UnsafeRawBufferPointer(start: message.payload, count: max(0, Int(message.payloadlen)))
            client.note(
                .message(
                    Message(
                        topic: String(cString: topic),
                        payload: octets.count <= client.kind.largestMessage ? Array(octets) : nil,
                        isRetained: message.retain)))
        }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MosquittoClient.from(context)?.lastError = String(cString: text)
        }
    }

    private func note(_ event: Event) {
        octetsOfPacket = 0
        events.append(event)
    }

    /// libmosquitto passes back the pointer that it was given, on the calling thread, and only while this client
    /// exists.
    private static func from(_ context: UnsafeMutableRawPointer?) -> MosquittoClient? {
        context.map { Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Connecting

    /// The number of the broker's nodes, any of which can be used.
    var nodeCount: Int { login.broker.nodes.count }

    /// Looks up the host, which blocks, and starts to connect.
    ///
    /// - Parameter node: any number; it is taken modulo the number of nodes.
    func connect(to node: Int) throws(BrokerProblem) {
        let nodes = login.broker.nodes
        broker = nodes[node % nodes.count]
        errno = 0
        let code = mosquitto_connect_async(handle, broker.host, Int32(broker.port), Self.keepAlive)
        errorOfConnect = errno
        guard code == 0 else { throw problem(code) }
    }

    /// Why the broker has ended the connection before it answered; nil if something is still to be read. Call it before
    /// `read`, and only when `poll` says that the connection is closed in both directions.
    ///
    /// While TLS is negotiated, libmosquitto takes an error of the socket for a connection that is still being made
    /// (SSL_ERROR_SYSCALL), and `read` and `write` succeed without end.
    func endBeforeAnswer() -> BrokerProblem? {
        var waiting: Int32 = 0
        if ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting > 0, waiting != octetsAtEnd {
            octetsAtEnd = waiting
            return nil
        }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        // The kernel reports an error once. OpenSSL may have seen it while it began to connect.
        errno = error != 0 ? error : errorOfConnect
        switch errno {
        case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT: return problem(MOSQ_ERR_ERRNO.rawValue)
        default: return problem(MOSQ_ERR_CONN_LOST.rawValue)
        }
    }

    /// Disconnects properly, so that the broker does not publish the will. This is sent at once.
    func disconnect() {
        mosquitto_disconnect(handle)
        _ = write()
    }

    /// The meaning of a libmosquitto error code for this broker.
    package func problem(_ code: Int32) -> BrokerProblem {
        switch code {
        case MOSQ_ERR_ERRNO.rawValue where errno == ECONNREFUSED:
            return BrokerProblem("nothing listens at \(broker): is the broker running, and the port right?")
        case MOSQ_ERR_EAI.rawValue, MOSQ_ERR_LOOKUP.rawValue:
            return BrokerProblem("the name \(broker.host) is not known: is it written right, and the network there?")
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
            return lastError == nil ? loss : BrokerProblem(tlsProblem)
        case MOSQ_ERR_ERRNO.rawValue where errno == EPROTO && broker.isSecure:
            // libmosquitto's number for an error of TLS while it reads or writes. If the connection has ended, it may
            // log no text.
            return lastError?.contains("unexpected eof") ?? true ? loss : BrokerProblem(tlsProblem)
        case MOSQ_ERR_ERRNO.rawValue where errno == ECONNRESET || errno == EPIPE: return loss
        case MOSQ_ERR_ERRNO.rawValue where errno != 0 && errno != EAGAIN:
            return BrokerProblem("\(broker): \(String(cString: strerror(errno)))")
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_ERRNO.rawValue,
            MOSQ_ERR_CONN_REFUSED.rawValue:
            return loss
        case MOSQ_ERR_KEEPALIVE.rawValue:
            return BrokerProblem("\(broker) no longer answers")
        default:
            return BrokerProblem("\(broker): \(String(cString: mosquitto_strerror(code)))")
        }
    }

    /// The broker has ended the connection.
    var loss: BrokerProblem {
        var problem = BrokerProblem("\(broker) ended the connection")
        problem.isLoss = true
        return problem
    }

    /// The broker has ended the connection before it answered.
    ///
    /// With TLS 1.3 a broker that wants a certificate says so only after this program has finished its part. This
    /// program then writes already, and that fails before what the broker said is read.
    var lossBeforeAnswer: BrokerProblem {
        guard broker.isSecure, login.certificateFile == nil else { return loss }
        var problem = loss
        problem.description += "; if it asks for a certificate of this program, \(certificateRemedy)"
        return problem
    }

    private var certificateRemedy: String {
        "name it in \(login.names.certificate), and its key in \(login.names.key)"
    }

    /// The broker has ended several connections in a row soon after it had accepted them. With MQTT 3.1.1 it cannot say
    /// why.
    var nameClash: BrokerProblem {
        BrokerProblem(
            "\(broker) ended \(NameClash.connections) connections in a row after a moment: if another client has the "
                + "name \(login.client), too, change \(login.names.client) of one of them; otherwise see the "
                + "broker's log")
    }

    private var tlsProblem: String {
        guard let text = lastError else { return "\(broker) and this program do not agree on TLS" }
        // "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
        let reason = text.split(separator: ":").last.map(String.init) ?? text
        if reason.contains("verify failed") || reason.contains("unable to get local issuer") {
            return "the certificate of \(broker) is not trusted (\(reason)): name its authority in "
                + "\(login.names.authority), use the name that stands in the certificate, and check this machine's "
                + "clock"
        }
        if reason.contains("certificate required") {
            return "\(broker) asks for a certificate of this program: \(certificateRemedy)"
        }
        if let file = login.authorityFile, reason.contains("no certificate or crl found") {
            return "\(login.names.authority): \(file) has no certificate in PEM form: name the file of the authority's "
                + "certificate"
        }
        return "\(broker) and this program do not agree on TLS: \(reason)"
    }

    /// The meaning of the broker's answer to the connection; nil if it accepts. MQTT 3.1.1, section 3.2.2.3.
    func refusal(_ code: Int32) -> BrokerProblem? {
        let names = login.names
        return switch code {
        case 0: nil
        case 1: BrokerProblem("\(broker) does not speak MQTT 3.1.1")
        case 2: BrokerProblem("\(broker) refuses this client's name: change \(names.client)")
        case 3: BrokerProblem("\(broker) is not available at present")
        case 4, 5:
            BrokerProblem(
                "\(broker) refuses "
                    + (broker.user.map { "the user \($0) or the password: see \(names.url) and \(names.password)" }
                        ?? "clients without a user: write one into \(names.url), as in mqtt://user@host"))
        default: BrokerProblem("\(broker) refuses the connection (code \(code))")
        }
    }

    private func check(_ code: Int32, _ what: String) throws(BrokerProblem) {
        guard code != 0 else { return }
        throw BrokerProblem(what + ": " + (lastError ?? String(cString: mosquitto_strerror(code))))
    }

    // MARK: - Reading, writing and publishing

    /// For `poll`; negative if there is no connection.
    var descriptor: Int32 { mosquitto_socket(handle) }

    /// There is more to write than the kernel has accepted.
    package var wantsToWrite: Bool { mosquitto_want_write(handle) }

    /// Returns 0 or an error code.
    func read() -> Int32 {
        var waiting: Int32 = 0
        if ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 { octetsOfPacket += Int(waiting) }
        let before = events.count
        errno = 0
        let code = mosquitto_loop_read(handle, kind.packetsAtOnce)
        mayHaveMore = events.count > before
        return code
    }

    /// The problem with a broker that sends a packet without an end.
    var excess: BrokerProblem? {
        guard octetsOfPacket > Self.largestPacket else { return nil }
        var problem = BrokerProblem(
            "\(broker) sends a message of more than \(Self.largestPacket >> 20) MiB: limit them there, as by "
                + "message_size_limit in mosquitto.conf")
        problem.isExcess = true
        return problem
    }

    func write() -> Int32 {
        errno = 0
        return mosquitto_loop_write(handle, 100)
    }

    /// Sends keep-alives; call it about once a second.
    func tend() -> Int32 {
        errno = 0
        return mosquitto_loop_misc(handle)
    }

    func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Returns the message's identifier, or the error.
    package func publish(_ publication: Publication, quality: Int) -> Result<Int32, PublishFailure> {
        errno = 0
        var identifier: Int32 = 0
        var payload = publication.payload
        let code = payload.withUTF8 { bytes in
            mosquitto_publish(
                handle, &identifier, publication.topic, Int32(clamping: bytes.count), bytes.baseAddress,
                Int32(quality), publication.isRetained)
        }
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: return .success(identifier)
        case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_PAYLOAD_SIZE.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue,
            MOSQ_ERR_OVERSIZE_PACKET.rawValue:
            return .failure(.unsendable)
        default: return .failure(.lost(code))
        }
    }

    package enum PublishFailure: Error {
        /// The message can never be sent.
        case unsendable
        case lost(Int32)
    }

    /// Subscribes with as few packets as possible. If what is retained for one packet does not fit into the connection
    /// at once, mosquitto 2.0 keeps back what it retains for the next one until somebody publishes something.
    package func subscribe(_ patterns: [String], quality: Int32 = 0) {
        var rest = patterns[...]
        while !rest.isEmpty {
            let texts: [UnsafeMutablePointer<CChar>?] = rest.prefix(Self.mostPatterns).map { strdup($0) }
            mosquitto_subscribe_multiple(handle, nil, Int32(texts.count), texts, quality, 0, nil)
            for text in texts { free(text) }
            rest = rest.dropFirst(Self.mostPatterns)
        }
    }

    package func unsubscribe(_ patterns: [String]) {
        for pattern in patterns { mosquitto_unsubscribe(handle, nil, pattern) }
    }
}
