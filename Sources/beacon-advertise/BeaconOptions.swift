package import Advertising
import ArgumentParser
import Beacon
import Listening

/// One beacon and its adapter. Options take precedence over a file, and the file over the recipe.
struct BeaconOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The adapter to advertise with (default: hci0).", valueName: "hciN"))
    var adapter: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A controller instead of an adapter: h4:tcp:HOST:PORT, hci0:user, sim.", valueName: "source")
    )
    var source: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The beacon's UUID, with or without dashes (default: \(BeaconSettings.recipe.id.uuid.uppercased))."))
    var uuid: ProximityUUID?

    @Option(name: .long, help: "0 to 65535 (default: 0).")
    var major: UInt16?

    @Option(name: .long, help: "0 to 65535 (default: 0).")
    var minor: UInt16?

    @Option(
        name: .long,
        help: ArgumentHelp("The level at 1 m that is announced, -128 to 127 (default: -56).", valueName: "dBm"))
    var measuredPower: Int8?

    @Option(
        name: .long,
        help: ArgumentHelp("Time between two advertisements, 20 to 10240 (default: 100).", valueName: "ms"))
    var intervalMs: Double?

    @Option(name: .long, help: "hci: by commands to the controller (default). bluez: through bluetoothd.")
    var mode: BeaconSettings.Mode?

    func validate() throws {
        guard adapter == nil || source == nil else {
            throw ValidationError("--adapter and --source name the same thing; give one of them.")
        }
        try AdapterName.require(adapter.map { [$0] } ?? [])
        if let intervalMs, !BeaconSettings.intervals.contains(intervalMs) {
            throw ValidationError("--interval-ms is a number from 20 to 10240, not \(intervalMs).")
        }
    }

    var hasNoIdentity: Bool {
        uuid == nil && major == nil && minor == nil && measuredPower == nil && intervalMs == nil && mode == nil
    }

    /// - Throws: `badSource`.
    func settings(over file: AdvertiseFile.Values) throws -> BeaconSettings {
        let recipe = BeaconSettings.recipe
        let id = BeaconID(
            uuid: uuid ?? file.uuid ?? recipe.id.uuid, major: major ?? file.major ?? recipe.id.major,
            minor: minor ?? file.minor ?? recipe.id.minor)
        let beacon = IBeacon(
            id: id, measuredPower: measuredPower ?? file.measuredPower ?? recipe.measuredPower)
        let source = try SourceSpec(source ?? adapter ?? file.source ?? BeaconSettings.defaultSource)
        return BeaconSettings(
            beacon, interval: intervalMs ?? file.interval ?? BeaconSettings.defaultInterval, source: source,
            mode: mode ?? file.mode ?? .hci)
    }
}

extension BeaconSettings.Mode: ExpressibleByArgument {}
