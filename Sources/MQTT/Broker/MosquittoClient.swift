import CMosquitto
import Glibc
import Settings

/// One connection of libmosquitto, for one thread. libmosquitto(3).
///
/// The caller does the waiting: it polls `descriptor` and calls `read`, `write` and `tend`.
final class MosquittoClient {
    enum Event {
        /// The broker's answer to the connection. MQTT 3.1.1, section 3.2.2.3: 0 means accepted.
        case answered(Int32)
        /// The broker (at QoS 0 the kernel) has accepted a message.
        case published(Int32)
        case found(topic: String)
    }

    /// What has happened since the last `takeEvents`.
    private var events: [Event] = []
    /// The last TLS error of libmosquitto.
    private(set) var lastError: String?
    private var handle: OpaquePointer?

    /// Initialised once for the process.
    private static let library: Int32 = mosquitto_lib_init()

    /// The folder of the system's certificates, in addition to OpenSSL's own; it may be missing.
    private static let authorities = "/etc/ssl/certs"
    /// The keep-alive interval, in seconds.
    private static let keepAlive: Int32 = 30

    /// Throws if the settings are wrong.
    init(settings: MQTTSettings, identifier: String, will: Publication) throws(BrokerProblem) {
        guard Self.library == MOSQ_ERR_SUCCESS.rawValue,
            let handle = mosquitto_new(identifier, true, Unmanaged.passUnretained(self).toOpaque())
        else { throw BrokerProblem("libmosquitto cannot be used: \(String(cString: strerror(errno)))") }
        self.handle = handle
        setCallbacks()
        try check(
            mosquitto_will_set(
                handle, will.topic, Int32(will.payload.utf8.count), will.payload, 1, will.isRetained),
            "the last will is refused")
        if settings.broker.user != nil || settings.password != nil {
            try check(
                mosquitto_username_pw_set(handle, settings.broker.user ?? "", settings.password),
                "the user's name or password is refused by libmosquitto")
        }
        if settings.broker.isSecure { try secure(settings) }
    }

    deinit {
        mosquitto_destroy(handle)
    }

    private func secure(_ settings: MQTTSettings) throws(BrokerProblem) {
        for (file, key) in [
            (settings.authorityFile, "mqtt.ca_file"), (settings.certificateFile, "mqtt.certificate_file"),
            (settings.keyFile, "mqtt.key_file"),
        ] {
            if let file, access(file, R_OK) != 0 {
                throw BrokerProblem("\(key): \(file) cannot be read: \(String(cString: strerror(errno)))")
            }
        }
        if settings.authorityFile == nil {
            try check(
                mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "the system's certificates cannot be used")
        }
        // libmosquitto accepts a client certificate only together with authorities.
        try check(
            mosquitto_tls_set(
                handle, settings.authorityFile, settings.authorityFile == nil ? Self.authorities : nil,
                settings.certificateFile, settings.keyFile, nil),
            "the certificates cannot be used")
        // The system's trusted certificates are enough; nothing is read from a terminal.
        try check(mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil), "TLS 1.2 cannot be used")
    }

    private func setCallbacks() {
        mosquitto_connect_callback_set(handle) { _, context, code in
            MosquittoClient.from(context)?.events.append(.answered(code))
        }
        mosquitto_publish_callback_set(handle) { _, context, identifier in
            MosquittoClient.from(context)?.events.append(.published(identifier))
        }
        mosquitto_message_callback_set(handle) { _, context, message in
            // Only retained messages matter: new messages of other clients are ignored.
            guard let message = message?.pointee, message.retain, message.payloadlen > 0, let topic = message.topic
            else { return }
            MosquittoClient.from(context)?.events.append(.found(topic: String(cString: topic)))
        }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MosquittoClient.from(context)?.lastError = String(cString: text)
        }
    }

    /// libmosquitto passes back the pointer that it was given, on the calling thread, and only while this client
    /// exists.
    private static func from(_ context: UnsafeMutableRawPointer?) -> MosquittoClient? {
        context.map { Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Connecting

    /// Looks up the host, which blocks, and starts to connect.
    func connect(_ broker: BrokerAddress) throws(BrokerProblem) {
        let code = mosquitto_connect_async(handle, broker.host, Int32(broker.port), Self.keepAlive)
        guard code == 0 else { throw problem(code, broker) }
    }

    /// Disconnects properly, so that the broker does not publish the will.
    func disconnect() {
        mosquitto_disconnect(handle)
    }

    /// The meaning of a libmosquitto error code for this broker.
    func problem(_ code: Int32, _ broker: BrokerAddress) -> BrokerProblem {
        switch code {
        case MOSQ_ERR_ERRNO.rawValue where errno == ECONNREFUSED:
            return BrokerProblem("nothing listens at \(broker): is the broker running, and the port right?")
        case MOSQ_ERR_EAI.rawValue, MOSQ_ERR_LOOKUP.rawValue:
            return BrokerProblem("the name \(broker.host) is not known: is it written right, and the network there?")
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
            return BrokerProblem(tlsProblem(broker))
        case MOSQ_ERR_ERRNO.rawValue where errno != 0 && errno != EAGAIN:
            return BrokerProblem("\(broker): \(String(cString: strerror(errno)))")
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_ERRNO.rawValue,
            MOSQ_ERR_CONN_REFUSED.rawValue:
            return BrokerProblem("\(broker) ended the connection")
        case MOSQ_ERR_KEEPALIVE.rawValue:
            return BrokerProblem("\(broker) no longer answers")
        default:
            return BrokerProblem("\(broker): \(String(cString: mosquitto_strerror(code)))")
        }
    }

    private func tlsProblem(_ broker: BrokerAddress) -> String {
        guard let text = lastError else { return "\(broker) and this program do not agree on TLS" }
        // "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
        let reason = text.split(separator: ":").last.map(String.init) ?? text
        if reason.contains("verify failed") || reason.contains("unable to get local issuer") {
            return "the certificate of \(broker) is not trusted (\(reason)): name its authority in mqtt.ca_file, and "
                + "use the name that stands in the certificate"
        }
        return "\(broker) and this program do not agree on TLS: \(reason)"
    }

    /// The meaning of the broker's answer to the connection; nil if it accepts. MQTT 3.1.1, section 3.2.2.3.
    static func refusal(_ code: Int32, _ settings: MQTTSettings) -> BrokerProblem? {
        let broker = settings.broker
        return switch code {
        case 0: nil
        case 1: BrokerProblem("\(broker) does not speak MQTT 3.1.1")
        case 2: BrokerProblem("\(broker) refuses this client's name: change mqtt.host")
        case 3: BrokerProblem("\(broker) is not available at present")
        case 4, 5:
            BrokerProblem(
                "\(broker) refuses "
                    + (broker.user.map { "the user \($0) or the password: see mqtt.url and mqtt.password_file" }
                        ?? "clients without a user: write one into mqtt.url, as in mqtt://user@host"))
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
    var wantsToWrite: Bool { mosquitto_want_write(handle) }

    /// Returns 0 or an error code.
    func read() -> Int32 {
        errno = 0
        return mosquitto_loop_read(handle, 100)
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
    func publish(_ publication: Publication, quality: Int) -> Result<Int32, PublishFailure> {
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

    enum PublishFailure: Error {
        /// The message can never be sent.
        case unsendable
        case lost(Int32)
    }

    func subscribe(_ patterns: [String]) {
        for pattern in patterns { mosquitto_subscribe(handle, nil, pattern, 0) }
    }

    func unsubscribe(_ patterns: [String]) {
        for pattern in patterns { mosquitto_unsubscribe(handle, nil, pattern) }
    }
}
