import Glibc
import Platform
import Text

// Errors that several parts report.
extension MediaError {
    init(tooLarge limit: Int64) {
        let size = ByteCount.text(limit)
        self.init(
            .tooLarge, "the file has more than the \(size) that are allowed for its kind", arguments: [size],
            remedy: "make it smaller, for example by a lower resolution, and upload it again")
    }

    /// A failure of the system. A full disk, a reached quota, or a file that is too large has the code `.full`.
    init(_ failure: SystemFailure, path: String) {
        guard failure.code != ENOSPC, failure.code != EDQUOT, failure.code != EFBIG else {
            self.init(
                .full, "the disk of the media library is full", arguments: [],
                remedy: "remove files that nothing needs, or make room on the disk", place: path)
            return
        }
        self.init(
            .system, failure.description, arguments: [failure.description],
            remedy: "see that the folder exists and that the server may write to it", place: path)
    }

    init(damaged place: String) {
        self.init(
            .damaged, "the file is incomplete or damaged: \(place)", arguments: [place],
            remedy: "open it in a program that shows it, save it again, and upload that file")
    }

    init(unsupported what: String, remedy: String) {
        self.init(.unsupported, "the file is \(what), which cannot be shown", arguments: [what, remedy], remedy: remedy)
    }
}
