import Glibc
import Platform
import Serving

/// Writes an archive that is to be imported to disk while it arrives.
struct ArchiveWriter: Sendable {
    private let file: TemporaryFile

    private static let queue = WorkQueue("uploads", maximumWaiting: 256)

    /// - Parameter folder: that of the media library's uploads, which removes what a server that was killed has left.
    static func begin(in folder: String) async throws -> ArchiveWriter {
        try await queue.run { _ in
            // Without a name it would be gone with the process, but the import opens it by its name.
            let path = "\(folder)/import-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
            let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard number >= 0 else { throw failed(SystemFailure()) }
            return ArchiveWriter(file: TemporaryFile(path: path, OwnedDescriptor(number)))
        }
    }

    func write(_ octets: [UInt8]) async throws {
        try await Self.queue.run { [file] _ in
            do throws(SystemFailure) {
                try AtomicFile.write(octets, to: file.descriptor.number)
            } catch {
                throw Self.failed(error)
            }
        }
    }

    func finish() -> TemporaryFile { file }

    private static func failed(_ failure: SystemFailure) -> Refusal {
        Refusal(507, "the upload cannot be stored: \(failure)", whatToDo: "make room in the state folder")
    }
}
