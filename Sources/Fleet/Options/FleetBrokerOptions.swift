package import ArgumentParser
package import Broker
package import Console
package import FleetFormat
import Platform
import Settings
import Synchronization

/// Which broker, and what the fleet's topics begin with.
package struct FleetBrokerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The broker: mqtt://USER@HOST:1883, or mqtts:// with TLS; further nodes of a cluster follow after commas.",
            valueName: "url"))
    package var mqtt: String?

    @Option(name: .long, help: ArgumentHelp("A file that holds the user's password.", valueName: "file"))
    package var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Certificates that are trusted instead of the system's, in PEM.", valueName: "file"))
    package var caFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("This program's own certificate in PEM, if the broker asks for one.", valueName: "file"))
    package var certificateFile: String?

    @Option(name: .long, help: ArgumentHelp("The key of that certificate, not encrypted.", valueName: "file"))
    package var keyFile: String?

    @Option(name: .long, help: "The first levels of every topic, as in the scanners' mqtt.topic_prefix (beacond).")
    package var topicPrefix: String?

    @Option(name: .long, help: "This program's name at the broker (default: its name and the machine's).")
    package var name: String?

    package init() {}

    /// Whether an option says which broker, or how to reach it.
    package var isSet: Bool { mqtt != nil || !inputs.isEmpty }

    /// The files that its options name.
    package var inputs: [InputFile] {
        [
            (passwordFile, "the password"), (caFile, "the list of certificates"), (certificateFile, "the certificate"),
            (keyFile, "the key"),
        ].compactMap { path, kind in path.map { InputFile($0, kind) } }
    }

    /// - Parameters:
    ///   - program: the default name at the broker is this and the machine's name.
    ///   - shard: the part of the beacons that it works on, because several parts may run on one machine.
    /// - Throws: `CommandFailure`.
    package func login(_ program: String, shard: FleetShard? = nil) throws -> BrokerLogin {
        guard let mqtt else {
            throw CommandFailure.usage("--mqtt is needed: the broker, as in --mqtt mqtt://broker.example")
        }
        let part = shard.map { "-\($0.number)-\($0.count)" } ?? ""
        do {
            if let topicPrefix { try BrokerLogin.requirePrefix(topicPrefix, option: "--topic-prefix") }
            var login = try BrokerLogin(
                url: mqtt, client: name ?? Topics.level("\(program)-\(SettingsReader.machineName)\(part)"),
                authorityFile: caFile, certificateFile: certificateFile, keyFile: keyFile,
                hasPassword: passwordFile != nil,
                names: .init(
                    url: "--mqtt", client: "--name", password: "--password-file", authority: "--ca-file",
                    certificate: "--certificate-file", key: "--key-file", service: .fleet))
            login.password = try passwordFile.map { try Secrets.firstLine(of: $0, for: .fleet) }
            return login
        } catch let mistake as BrokerOptionMistake {
            throw CommandFailure.usage(mistake.description)
        }
    }

    /// Seconds within which a broker must pass on a message.
    private static let longestWait = 15.0

    /// Publishes a retained message, and waits until the broker passes it on. An empty one removes what was retained.
    ///
    /// A broker also acknowledges messages that it does not let this program publish (MQTT 3.1.1, section 3.3.5), so
    /// only receiving the message itself proves it.
    ///
    /// - Returns: whether the broker had retained anything there before.
    /// - Throws: `CommandFailure`, also if the message is too large for resolvers.
    @discardableResult
    package func retain(_ payload: String, on topic: String, as program: String) async throws -> Bool {
        guard payload.utf8.count <= FleetTopics.largestMessage else {
            throw CommandFailure(
                "\(topic): this takes \(payload.utf8.count >> 10) KiB, and resolvers read at most "
                    + "\(FleetTopics.largestMessage >> 10): use fewer corners, spots or scanners, or shorter names")
        }
        let (news, teller) = AsyncStream<RetainedNews>.makeStream(bufferingPolicy: .bufferingNewest(10))
        let publication = Publication(topic: topic, payload: payload, isRetained: true)
        let octets = Array(payload.utf8)
        let visit = BrokerVisit(try login(program), subscriptions: [topic]) {
            teller.yield(.visit($0))
        } take: { _, received in
            teller.yield(received == octets ? .own : .other)
        }
        let hasArrived = Atomic(false)
        let hadOther = Atomic(false)
        let rights = "check that it lets this program publish and read there, and run the command again"
        try await UntilStopped.run(for: Self.longestWait, isFinite: true) {
            try await visit.during {
                var isSent = false
                for await each in news {
                    switch each {
                    // Only when subscribed: otherwise the message could pass before this program listens.
                    case .visit(.connected):
                        _ = visit.relay.put(publication)
                        isSent = true
                    case .visit(.problem(let problem)):
                        throw CommandFailure(isSent ? "\(problem), after \(topic) was sent: \(rights)" : "\(problem)")
                    case .visit(.unsendable): throw CommandFailure("\(topic): this does not fit into a message")
                    case .visit(.arrived): break
                    case .other: hadOther.store(true, ordering: .relaxed)
                    case .own: return hasArrived.store(true, ordering: .relaxed)
                    }
                }
            }
        }
        guard hasArrived.load(ordering: .relaxed) else {
            throw CommandFailure(
                "the broker has not passed \(topic) on within \(Int(Self.longestWait)) s: \(rights)")
        }
        return hadOther.load(ordering: .relaxed)
    }

    private enum RetainedNews: Sendable {
        case visit(BrokerVisitNews)
        /// The published message, back from the broker.
        case own
        /// The message that was retained there before.
        case other
    }

    package var prefix: String { Topics.prefix(topicPrefix ?? "beacond") }
}
