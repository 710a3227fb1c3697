import Platform

package enum ResultFile {
    /// Writes the whole text. A file appears only when it is complete.
    package static func write(_ text: String, to path: String?) throws {
        guard let path, path != "-" else {
            Program.output(text)
            return
        }
        do {
            try AtomicFile.replace(path, with: text, rights: .permissions(0o644))
        } catch {
            throw failure(path, error)
        }
    }

    /// Sends everything written to standard output from now on to a file.
    static func redirectOutput(to path: String) throws(CommandFailure) {
        guard path != "-" else { return }
        do {
            try StandardOutput.redirect(to: path)
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ reason: SystemFailure) -> CommandFailure {
        CommandFailure("\(path): cannot write the result: \(reason)")
    }
}
