package import ArgumentParser
import Glibc
package import Settings

/// The option of all commands that rank by themselves: the file with the site's ranging settings.
package struct SiteOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The site's settings for ranging (default: \(RangingConfiguration.defaultFile), where there is one).",
            discussion:
                "What it says about ranging, regions and beacons is used, as the daemon does; none for no file.",
            valueName: "file"))
    package var config: String?

    package init() {}

    /// The file's path, whether or not the file exists; nil for none.
    package var file: String? {
        config == "none" ? nil : config ?? RangingConfiguration.defaultFile
    }

    /// The same, as an input of the command.
    package var inputs: [InputFile] { file.map { [InputFile.configuration($0)] } ?? [] }

    /// Reads the settings.
    ///
    /// - Throws: `UnusableConfiguration` with everything that is wrong in them.
    package func load() throws -> RangingConfiguration {
        let environment = Environment.variables
        var file = file
        if config == nil, let path = file, access(path, R_OK) != 0, errno == EACCES {
            Program.write("\(path): you may not read it; using the built-in settings for ranging\n")
            file = nil
        }
        do {
            return try RangingConfiguration.load(file: file, mayBeMissing: config == nil, environment: environment)
        } catch {
            throw UnusableConfiguration(error)
        }
    }
}
