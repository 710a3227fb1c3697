import Glibc
package import Platform

/// Reads passwords and tokens, but never from arguments, which every user of the computer can read.
package enum Secrets {
    /// The maximum number of bytes of a line.
    private static let longest = 4096

    /// A password: from a file, from standard input with `-`, or asked for twice on the terminal.
    package static func password(from file: String?, for name: String) throws(CommandFailure) -> String {
        if let file { return try firstLine(of: file) }
        guard isatty(0) == 1 else { return try line(of: 0, called: "standard input") }
        let first = try asked("Password for \(name): ")
        guard try asked("The same again: ") == first else {
            throw CommandFailure("the two passwords are different; try again")
        }
        return first
    }

    /// The first line of a file; `-` is standard input.
    ///
    /// - Parameter service: the service that may have to read it; nil for none.
    package static func firstLine(
        of path: String, for service: InstalledService? = nil
    ) throws(CommandFailure) -> String {
        guard path != "-" else { return try line(of: 0, called: "standard input") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = SystemFailure()
            let remedy = failure.code == EACCES ? service.map { "; \($0.toRead(path))" } : nil
            throw CommandFailure("\(path): it cannot be read: \(failure)\(remedy ?? "")")
        }
        defer { close(descriptor) }
        return try line(of: descriptor, called: path)
    }

    private static func asked(_ question: String) throws(CommandFailure) -> String {
        Program.write(question)
        var before = termios()
        let isChanged = tcgetattr(0, &before) == 0
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        if isChanged { tcsetattr(0, TCSAFLUSH, &silent) }
        defer {
            if isChanged { tcsetattr(0, TCSAFLUSH, &before) }
            Program.write("\n")
        }
        return try line(of: 0, called: "the terminal")
    }

    private static func line(of descriptor: Int32, called name: String) throws(CommandFailure) -> String {
        var octets: [UInt8] = []
        var octet: UInt8 = 0
        while octets.count < longest {
            let count = read(descriptor, &octet, 1)
            if count < 0 {
                let failure = SystemFailure()
                if failure.code == EINTR { continue }
                throw CommandFailure("\(name): it cannot be read: \(failure)")
            }
            guard count == 1, octet != UInt8(ascii: "\n") else { break }
            octets.append(octet)
        }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        guard !octets.isEmpty, let text = String(validating: octets, as: UTF8.self) else {
            throw CommandFailure("\(name): its first line is empty or no text; write the secret there")
        }
        return text
    }
}
