import Glibc

/// Where a command's result goes: standard output, or a file named by the user.
public enum ResultFile {
    /// Writes the whole text. A file appears only when it is complete.
    public static func write(_ text: String, to path: String?) throws {
        guard let path, path != "-" else {
            var output = OutputBuffer()
            output.write(text)
            output.flush()
            return
        }
        let temporary = path + ".part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let error = failure(path)
                close(descriptor)
                unlink(temporary)
                throw error
            }
        }
        guard close(descriptor) == 0, rename(temporary, path) == 0 else { throw failure(path) }
    }

    /// Has everything that goes to standard output from now on written to a file, as it comes.
    public static func redirectOutput(to path: String) throws(ProgramExit) {
        guard path != "-" else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard dup2(descriptor, STDOUT_FILENO) >= 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> ProgramExit {
        ProgramExit(1, "\(path): cannot write the result: \(String(cString: strerror(errno)))")
    }
}
