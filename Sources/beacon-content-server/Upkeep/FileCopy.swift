import Console
import Glibc
import Platform
import SiteFormat

/// Copies files of the media library into a backup.
enum FileCopy {
    /// Blocks its thread.
    ///
    /// - Returns: false if the file was there already: files are named by their contents.
    static func copy(of hash: AssetHash, from source: String, to target: String) throws(CommandFailure) -> Bool {
        let path = "media/\(hash.description.prefix(2))/\(hash)"
        let (original, copy) = ("\(source)/\(path)", "\(target)/\(path)")
        var status = stat()
        if lstat(copy, &status) == 0 { return false }
        let input = open(original, O_RDONLY | O_CLOEXEC)
        // `check` says what is missing; the rest is worth copying.
        guard input >= 0 else { return false }
        defer { close(input) }
        for path in ["\(target)/media/\(hash.description.prefix(2))", copy] {
            AtomicFile.makeFolder(of: path, permissions: 0o750)
        }
        do {
            let output = try UnfinishedFile(replacing: copy, rights: .permissions(0o640))
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = read(input, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else {
                    throw CommandFailure("\(original): it cannot be read: \(SystemFailure())")
                }
                if count == 0 { break }
                try output.write(Array(buffer[..<count]))
            }
            // `flush` makes the names of all files durable.
            try output.finish(flushesFolder: false)
            return true
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure("\(copy): it cannot be written: \(error)")
        }
    }

    /// Makes the names of these files in a backup durable, and those of their folders. Blocks its thread.
    static func flush(_ files: Set<AssetHash>, in target: String) {
        let parts = Set(files.map { "\(target)/media/\($0.description.prefix(2))" })
        for folder in parts.sorted() + ["\(target)/media", target, PathText.folder(of: target)] {
            // A folder without files may not be there.
            try? AtomicFile.flush(folder)
        }
    }
}
