import ArgumentParser
import Broker
import Console
import ESPHome
import Fleet
import Rooms
import Settings
import Text
import YAMLText

struct BridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract: "Makes ESPresense nodes and ESPHome Bluetooth proxies scanners of the fleet.",
        discussion: """
            Publishes levels and state for each of them, as a scanner of the fleet does, but no health of beacons. One \
            bridge for each node is enough. Without --places, each node is in a room of its own name.
            """)

    @OptionGroup var broker: FleetBrokerOptions

    @Option(
        name: .long, defaultAsFlag: "espresense",
        help: ArgumentHelp(
            "ESPresense nodes at the same broker: the first level of their topics (espresense).", valueName: "prefix"))
    var espresense: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A Bluetooth proxy of ESPHome; may be repeated. The port is 6053 where none is given.",
            valueName: "host:port"))
    var esphome: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The proxies' encryption keys: one for all, or lines of host and key. Without it nothing is encrypted.",
            valueName: "file"))
    var encryptionKeyFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the nodes stand: a list of scanner, room, floor, x and y, in YAML or JSON.", valueName: "file"))
    var places: String?

    /// Each takes a connection and a task.
    private static let mostProxies = 200

    func run() async throws {
        let login = try broker.login("beacon-bridge")
        guard espresense != nil || !esphome.isEmpty else {
            throw CommandFailure.usage("nothing to bridge: --espresense, --esphome HOST, or both are needed")
        }
        if let espresense { try requirePrefix(espresense) }
        let service = BridgeService(
            login, prefix: broker.prefix, places: try nodePlaces(), espresense: espresense, proxies: try proxies()
        ) { line in
            Program.tell("beacon-fleet: \(line)")
        }
        try await UntilStopped.run(for: nil) { try await service.run() }
    }

    private func requirePrefix(_ prefix: String) throws {
        do {
            try BrokerLogin.requirePrefix(prefix, option: "--espresense")
        } catch {
            throw CommandFailure.usage(error.description)
        }
        guard prefix != broker.prefix else {
            throw CommandFailure.usage(
                "--espresense and --topic-prefix are the same: the fleet's messages need topics of their own")
        }
    }

    private func nodePlaces() throws -> [ScannerPlace] {
        guard let places else { return [] }
        do {
            return try PlacesFile.read(places).places
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }

    private func proxies() throws -> [BridgeService.Proxy] {
        guard esphome.count <= Self.mostProxies else {
            throw CommandFailure.usage("--esphome: at most \(Self.mostProxies) proxies; start another bridge for more")
        }
        let keys = try encryptionKeyFile.map(ProxyKeys.read)
        return try esphome.map { text in
            guard let address = try? HostPort(text), !address.host.isEmpty, address.port != 0 else {
                throw CommandFailure.usage(
                    "--esphome \(excerpt(text)) is no host and port; write it as proxy.local:6053")
            }
            return BridgeService.Proxy(address: address, key: keys?.key(of: address))
        }
    }
}
