import Glibc
import Platform
import YAMLText

extension DocumentFile {
    /// The same for a file that only some users may read: where this one may not, the error says what lets the daemon.
    static func protectedText(
        of path: String, limit: Int, mayBeMissing: Bool = false
    ) throws(DocumentError) -> String? {
        do throws(DocumentError) {
            return try text(of: path, limit: limit, mayBeMissing: mayBeMissing)
        } catch {
            guard access(path, R_OK) != 0, errno == EACCES else { throw error }
            var error = error
            let remedy = InstalledService.daemon.toRead(path)
            for index in error.issues.indices { error.issues[index].message += "; \(remedy)" }
            throw error
        }
    }
}
