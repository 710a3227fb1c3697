import ArgumentParser
import Console
import CurationStore
import Foundation
import Media

/// The option that every command has.
struct StateOptions: ParsableArguments {
    @Option(name: ServerOption.state.name, help: ServerOption.state.help)
    var state: String?

    var folder: String { ServerOption.state.value(state) ?? "." }

    /// The database, as what a command reads.
    var database: InputFile { InputFile(CurationStore.file(in: folder), "the database") }

    /// Blocks its thread until the database is open.
    ///
    /// - Parameter isNew: makes one where there is none. Commands that look at what is there must not: a folder with a
    ///   slip of the pen in its name would look like an empty site without a fault.
    /// - Throws: `CommandFailure` if there is none; `StoreError`.
    func store(isNew: Bool = false) throws -> CurationStore {
        guard isNew || FileManager.default.fileExists(atPath: CurationStore.file(in: folder)) else {
            throw CommandFailure(
                "\(folder): no content is there; name the folder of beacon-content-server serve with --state")
        }
        return try CurationStore(folder: folder)
    }

    func media() throws -> MediaLibrary { try MediaLibrary(folder: folder, helper: ImageHelper()) }
}
