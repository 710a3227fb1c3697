package import ArgumentParser
package import Text

/// The option that selects beacons.
package struct BeaconFilterOptions: ParsableArguments, Sendable {
    @Option(
        name: [.long, .customLong("uuid")],
        help: ArgumentHelp(
            "Only these; may be repeated: a UUID, UUID/MAJOR, UUID/MAJOR/MINOR, MAJOR.MINOR, or a name.",
            valueName: "beacon"))
    package var beacon: [BeaconQuery] = []

    package init() {}

    package var filter: BeaconFilter { BeaconFilter(beacon) }
}

extension BeaconQuery: ExpressibleByArgument {}
