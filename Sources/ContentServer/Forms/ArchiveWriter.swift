import Glibc
import Serving

/// Writes an archive that is to be imported to disk while it arrives.
struct ArchiveWriter: Sendable {
    private let file: TemporaryFile
    private let descriptor: Descriptor

    /// Closed when it is released.
    private final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    private static let queue = WorkQueue("uploads", maximumWaiting: 256)

    static func begin(in state: String) async throws -> ArchiveWriter {
        try await queue.run { _ in
            // Without a name it would be gone with the process, but the import opens it by its name.
            var template = Array("\(state)/import-XXXXXX".utf8CString)
            let number = mkstemp(&template)
            guard number >= 0 else { throw failed(errno) }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return ArchiveWriter(file: TemporaryFile(path: path), descriptor: Descriptor(number))
        }
    }

    func write(_ octets: [UInt8]) async throws {
        try await Self.queue.run { [descriptor] _ in
            var rest = octets[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw Self.failed(errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    func finish() async throws -> TemporaryFile { file }

    private static func failed(_ number: Int32) -> Refusal {
        Refusal(
            507, "the upload cannot be stored: \(String(cString: strerror(number)))",
            whatToDo: "make room in the state folder")
    }
}
