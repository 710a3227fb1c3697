import Platform
import SiteFormat

/// Flushes to the disk on a thread of its own. A flush may take a second, and downloads continue to be written
/// meanwhile.
actor Flusher {
    private let executor = QueueExecutor("beacond.content.disk")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A written file that is ready to be put into place.
    struct File: Sendable {
        var from: String
        var target: String
        var descriptor: CInt
    }

    /// More files than this are flushed together with their whole file system, in one call.
    private static let singleFlushes = 3

    /// Flushes files, renames them, and flushes their folders. It closes the files, and removes them if that fails.
    func place(_ files: [File], in directory: String) -> ContentError? {
        defer { for file in files { Files.closeDescriptor(file.descriptor) } }
        do throws(ContentError) {
            let folders = Set(files.map { PathText.folder(of: $0.target) })
            for folder in folders { try Files.makeFolder(folder) }
            try flush(files, in: directory) { () throws(ContentError) in
                for file in files { try Files.sync(file.descriptor, path: file.from) }
            }
            for file in files { try Files.move(file.from, to: file.target) }
            try flush(files, in: directory) { () throws(ContentError) in
                for folder in folders { try Files.syncFolder(folder) }
            }
            return nil
        } catch {
            for file in files { try? Files.remove(file.from) }
            return error
        }
    }

    private func flush(
        _ files: [File], in directory: String, singly: () throws(ContentError) -> Void
    ) throws(ContentError) {
        if files.count > Self.singleFlushes, let first = files.first {
            return try Files.syncAll(first.descriptor, path: directory)
        }
        try singly()
    }
}
