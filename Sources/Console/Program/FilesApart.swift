import Glibc
package import Listening
import Platform

/// A file that a command reads.
package struct InputFile: Sendable {
    /// As the user wrote it; nil for standard input.
    private let path: String?
    /// What it is, in messages.
    fileprivate let kind: String

    /// - Parameters:
    ///   - path: nil for standard input.
    ///   - kind: what it is, in messages: "the list of places".
    package init(_ path: String?, _ kind: String) {
        self.path = path
        self.kind = kind
    }

    package static func configuration(_ path: String) -> InputFile { InputFile(path, "the configuration") }

    /// Lines on standard input.
    package static let lines = InputFile(nil, "the text")

    /// The file that a source reads; nil if the source is not a file.
    package init?(of source: SourceSpec) {
        switch source.kind {
        case .file(let path): self.init(path == "-" ? nil : path, "the recording")
        case .emulation(let path?): self.init(path, "the scenario")
        default: return nil
        }
    }

    /// Before a message.
    fileprivate var name: String { path ?? "standard input" }

    /// Nil if there is no such file.
    fileprivate var number: FileNumber? {
        if let path { FileNumber(of: path) } else { FileNumber(descriptor: STDIN_FILENO) }
    }
}

/// A file that a command writes besides its standard output.
package struct OutputFile: Sendable {
    /// The option that names it; nil for the command's result.
    fileprivate let option: String?
    fileprivate let path: String

    /// Nil if nothing is written, or if it is standard output.
    package init?(_ option: String, _ path: String?) {
        guard let path, path != "-" else { return nil }
        self.option = option
        self.path = path
    }

    /// The result of a command that writes it itself. (The one of a `ResultCommand` is standard output.)
    package init?(result path: String?) {
        guard let path, path != "-" else { return nil }
        option = nil
        self.path = path
    }

    fileprivate var number: FileNumber? { FileNumber(of: path) }

    fileprivate func isSame(as other: OutputFile) -> Bool {
        guard let number else { return path == other.path }
        return number.isRegular && number == other.number
    }

    /// Before a message.
    fileprivate var name: String { option.map { "\($0) \(path)" } ?? path }
}

/// Refuses to write results into files that the command reads, because they would be emptied before they are read.
package enum FilesApart {
    /// - Parameter outputs: nil for outputs that were not requested.
    /// - Throws: if a file that is read would be written, or if one file would be written twice. Standard output, which
    ///   may be the file of `--output`, is always checked.
    package static func require(_ inputs: [InputFile], writes outputs: [OutputFile?] = []) throws(CommandFailure) {
        let outputs = outputs.compactMap(\.self)
        for input in inputs {
            guard let number = input.number, number.isRegular else { continue }
            if StandardOutput.isFile(number) { throw overwritten(input) }
            for output in outputs where output.number == number {
                guard output.option != nil else { throw overwritten(input) }
                throw .usage("\(output.name): this is \(input.kind) that is read; name another file")
            }
        }
        for (index, output) in outputs.enumerated() {
            let isResult = output.number.map(StandardOutput.isFile) ?? false
            guard !isResult, !outputs[..<index].contains(where: output.isSame) else {
                throw .usage("\(output.name): the result goes into this file already; name another one")
            }
        }
    }

    private static func overwritten(_ input: InputFile) -> CommandFailure {
        .usage("\(input.name): the result would be written into \(input.kind) that is read; name another file")
    }
}
