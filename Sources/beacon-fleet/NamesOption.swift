import ArgumentParser
import Beacon
import Console
import Settings
import YAMLText

struct NamesOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "What people call beacons: a file with `beacons`, such as the configuration of beacond.", valueName: "file")
    )
    var names: String?

    /// The file, as what a command reads.
    var inputs: [InputFile] { names.map { [InputFile($0, "the list of names")] } ?? [] }

    func knownBeacons() throws -> KnownBeacons {
        guard let names else { return KnownBeacons() }
        do {
            let beacons = try KnownBeaconsFile.read(names)
            if beacons.isEmpty { Program.tell("beacon-fleet: \(names): \(KnownBeaconsFile.empty)") }
            return beacons
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }
}
