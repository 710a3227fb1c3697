package import ArgumentParser
package import Broker
import Console
import FleetFormat
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

    @Option(name: .long, help: ArgumentHelp("Certificates that are trusted instead of the system's, in PEM.", valueName: "file"))
    package var caFile: String?

    @Option(name: .long, help: "The first levels of every topic, as in the scanners' mqtt.topic_prefix (beacond).")
    package var topicPrefix: String?

    @Option(name: .long, help: "What this program is called at the broker; by default by its name and the machine's.")
    package var name: String?

    package init() {}

    /// - Parameter program: the name at the broker, where none is given: this and the machine's name.
    /// - Throws: `CommandFailure`.
    package func login(_ program: String) throws -> BrokerLogin {
        guard let mqtt else { throw CommandFailure.usage("--mqtt is needed: the broker, as in --mqtt mqtt://broker.example") }
        do {
            if let topicPrefix { try BrokerLogin.requirePrefix(topicPrefix, option: "--topic-prefix") }
            var login = try BrokerLogin(
                url: mqtt, client: name ?? Topics.level("\(program)-\(SettingsReader.machineName)"),
                authorityFile: caFile, hasPassword: passwordFile != nil,
                names: .init(
                    url: "--mqtt", client: "--name", password: "--password-file", authority: "--ca-file",
                    certificate: "", key: ""))
            login.password = try passwordFile.map(Secrets.firstLine)
            return login
        } catch let mistake as BrokerOptionMistake {
            throw CommandFailure.usage(mistake.description)
        }
    }

    /// Seconds within which a broker that accepts a message says so.
    private static let longestWait = 15.0

    /// Publishes a retained message, and waits until the broker has it. An empty one removes what was retained.
    ///
    /// - Throws: `CommandFailure`, also where resolvers would not read so large a message.
    package func retain(_ payload: String, on topic: String, as program: String) async throws {
        guard payload.utf8.count <= FleetTopics.largestMessage else {
            throw CommandFailure(
                "\(topic): this takes \(payload.utf8.count >> 10) KiB, and resolvers read at most "
                    + "\(FleetTopics.largestMessage >> 10): use fewer corners, spots or scanners, or shorter names")
        }
        let (news, teller) = AsyncStream<BrokerVisitNews>.makeStream(bufferingPolicy: .bufferingNewest(10))
        let visit = BrokerVisit(try login(program), subscriptions: []) { teller.yield($0) } take: { _, _ in }
        let number = visit.relay.put(Publication(topic: topic, payload: payload, isRetained: true))
        let hasArrived = Atomic(false)
        try await UntilStopped.run(for: Self.longestWait, isFinite: true) {
            try await visit.during {
                for await each in news {
                    switch each {
                    case .arrived(number): return hasArrived.store(true, ordering: .relaxed)
                    case .problem(let problem): throw CommandFailure("\(problem)")
                    case .unsendable: throw CommandFailure("\(topic): this does not fit into a message")
                    case .connected, .arrived: break
                    }
                }
            }
        }
        guard hasArrived.load(ordering: .relaxed) else {
            throw CommandFailure(
                "the broker has not confirmed \(topic) within \(Int(Self.longestWait)) s: "
                    + "look whether it lets this program publish there, and run the command again")
        }
    }

    package var prefix: String { Topics.prefix(topicPrefix ?? "beacond") }
}
