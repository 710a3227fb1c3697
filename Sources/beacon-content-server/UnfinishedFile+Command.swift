import Console
import Glibc
import Platform

extension UnfinishedFile {
    /// Creates the temporary file of a command's result. A command does not wait for another program that writes the
    /// same file.
    static func forCommand(replacing path: String, permissions: mode_t) throws(CommandFailure) -> UnfinishedFile {
        do {
            return try UnfinishedFile(replacing: path, rights: .permissions(permissions), waits: false)
        } catch {
            throw CommandFailure(
                error.code == EWOULDBLOCK
                    ? "\(path): another program is writing it; try again when that has ended"
                    : "\(path): it cannot be written: \(error)")
        }
    }
}
