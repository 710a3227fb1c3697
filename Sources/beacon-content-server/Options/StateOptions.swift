import ArgumentParser
import Console
import CurationStore
import Media

/// The option that every command has.
struct StateOptions: ParsableArguments {
    @Option(name: ServerOption.state.name, help: ServerOption.state.help)
    var state: String?

    var folder: String { ServerOption.state.value(state) ?? "." }

    /// Blocks its thread until the database is open.
    func store() throws -> CurationStore { try CurationStore(folder: folder) }

    func media() throws -> MediaLibrary { try MediaLibrary(folder: folder, helper: ImageHelper()) }
}
