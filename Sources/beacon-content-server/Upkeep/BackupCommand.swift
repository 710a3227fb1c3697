import ArgumentParser
import Console
import CurationStore
import Glibc
import Media
import Platform
import SiteFormat

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy everything into a folder, also while the server serves.",
        discussion: "To restore, stop the server and replace the state folder by the backup.")

    @Argument(help: "A folder that does not exist yet, or an earlier backup.") var folder: String
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let store = try state.store()
        defer { store.close() }
        let target = folder
        guard mkdir(target, 0o750) == 0 || errno == EEXIST else {
            throw CommandFailure("\(target): it cannot be made: \(SystemFailure())")
        }
        guard FileNumber(of: target) != FileNumber(of: state.folder) else {
            throw CommandFailure.usage("\(target) is the state folder itself; name another folder for the backup")
        }
        // The database first: files never change, so those that it names can be copied afterwards.
        // The former backup stays whole until the new one has all its files.
        let database = "\(target)/content.sqlite"
        // Two backups into one folder would remove each other's files.
        let lock = try UnfinishedFile.forCommand(replacing: database, permissions: 0o640)
        defer { withExtendedLifetime(lock) {} }
        unlink("\(database).new")
        // Documents that are deleted for good meanwhile are still in the copy.
        let before = try await store.neededAssets()
        try await store.backup(to: "\(database).new")
        let media = before.union(try await store.neededAssets())
        let source = state.folder
        let copied = try await OwnThread.run {
            var copied = 0
            for hash in media.sorted() {
                if try FileCopy.copy(of: hash, from: source, to: target) { copied += 1 }
            }
            FileCopy.flush(media, in: target)
            return copied
        }
        for end in ["-wal", "-shm"] { unlink(database + end) }
        guard rename("\(database).new", database) == 0 else {
            throw CommandFailure("\(database): it cannot be written: \(SystemFailure())")
        }
        try? AtomicFile.flush(target)
        Program.tell("\(target): the database and \(media.count) files, \(copied) of them new")
    }
}
