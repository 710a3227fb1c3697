import ArgumentParser
import Beacon
import Console
import Settings
import YAMLText

struct NamesOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("What people call beacons: a file with `beacons`, such as the configuration of beacond.", valueName: "file"))
    var names: String?

    func knownBeacons() throws -> KnownBeacons {
        do {
            return try names.map { path throws(DocumentError) in try KnownBeaconsFile.read(path) } ?? KnownBeacons()
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }
}
