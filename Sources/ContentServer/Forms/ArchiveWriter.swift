import Media
import Platform
import Serving

/// Writes an archive that is to be imported to disk while it arrives.
struct ArchiveWriter: Sendable {
    private let file: WorkFile

    private static let queue = WorkQueue("uploads", maximumWaiting: 256)

    static func begin(in library: MediaLibrary) async throws -> ArchiveWriter {
        try await queue.run { _ in
            do throws(SystemFailure) {
                // Without a name it would be gone with the process, but the import opens it by its name.
                return ArchiveWriter(file: try library.workFile())
            } catch {
                throw failed(error)
            }
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

    func finish() -> WorkFile { file }

    private static func failed(_ failure: SystemFailure) -> Refusal {
        Refusal(507, "the upload cannot be stored: \(failure)", whatToDo: "make room in the state folder")
    }
}
