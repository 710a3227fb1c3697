import Content
import Glibc
import Listening
import Settings

/// The result of `beaconctl config check` and `beacond --check-config` for a configuration that can be used.
package struct ConfigurationCheck: Sendable {
    /// Settings that work but are not advisable, one per line.
    package var warnings: [String]
    package var summary: String

    /// Checks everything that the daemon would refuse.
    ///
    /// - Parameter file: nil for the default file, which must exist here.
    /// - Throws: `ConfigurationError` with everything that is wrong.
    package init(
        file: String?, environment: [String: String], overrides: DaemonConfiguration.Overrides = .init()
    ) async throws {
        let path = file ?? DaemonConfiguration.defaultFile
        if file == nil, access(path, F_OK) != 0, errno == ENOENT {
            throw ConfigurationError(
                [
                    SettingMistake(
                        .file(path), "is not there, so there is nothing to check",
                        remedy: "name a file: beaconctl config check FILE", isAboutValue: true)
                ])
        }
        let configuration = try await DaemonConfiguration.load(
            file: file, environment: environment, overrides: overrides)
        warnings = configuration.warnings
        summary = "\(path) is good: listens on "
            + configuration.sources.map(\.description).joined(separator: ", ")
            + (configuration.content.map { ", content from \($0.baseURL)" } ?? ", no content site")
    }
}
