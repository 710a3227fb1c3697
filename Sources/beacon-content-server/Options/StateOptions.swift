import ArgumentParser
import Console
import CurationStore
import Glibc
import Media
import Platform

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
        if !isNew { try demandDatabase() }
        return try CurationStore(folder: folder)
    }

    private func demandDatabase() throws(CommandFailure) {
        guard access(CurationStore.file(in: folder), F_OK) != 0 else { return }
        let failure = SystemFailure()
        guard failure.code == ENOENT || failure.code == ENOTDIR else {
            throw CommandFailure(
                "\(folder): it cannot be read: \(failure); run this as the server's user, for the service: "
                    + "sudo -u beacon-content beacon-content-server")
        }
        throw CommandFailure(
            "\(folder): no content is there; name the folder of beacon-content-server serve with --state")
    }

    func media() throws -> MediaLibrary { try MediaLibrary(folder: folder, helper: ImageHelper()) }
}
