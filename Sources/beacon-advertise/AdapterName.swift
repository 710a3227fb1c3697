import ArgumentParser
import Listening

/// The values of `--adapter`.
enum AdapterName {
    /// - Throws: for the first one that is not understood.
    static func require(_ names: [String]) throws {
        for name in names where (try? SourceSpec(name)) == nil {
            throw ValidationError(
                "--adapter \(name): is no adapter; write hci0, or hci:AA:BB:CC:DD:EE:FF by its address.")
        }
    }
}
