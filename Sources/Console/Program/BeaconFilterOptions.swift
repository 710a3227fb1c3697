public import ArgumentParser
public import Text

/// The option that says which beacons are wanted.
public struct BeaconFilterOptions: ParsableArguments, Sendable {
    @Option(
        name: [.long, .customLong("uuid")],
        help: ArgumentHelp(
            "Only these; may be repeated: a UUID, UUID/MAJOR, UUID/MAJOR/MINOR, MAJOR.MINOR, or a name.",
            valueName: "beacon"))
    public var beacon: [BeaconQuery] = []

    public init() {}

    public var filter: BeaconFilter { BeaconFilter(beacon) }
}

extension BeaconQuery: ExpressibleByArgument {}
