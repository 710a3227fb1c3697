import ArgumentParser
import Console
import Publishing

struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Make a key that signs what is published.",
        discussion: """
            The file is the private key: keep a copy at another place. The public key is printed, for \
            content.public_keys in the configuration of the devices. Name the file with --signing-key to serve. \
            If root makes it, the group of its folder can read it, which is the service's in \
            /etc/beacon-content-server.
            """)

    @Argument(help: "The file to make.") var file: String
    @Option(help: "The key's name, which site.json gives as key_id.") var id: String?

    mutating func run() throws {
        if let id, id.isEmpty || id.utf8.count > 100 || id.contains(where: { $0.isNewline || $0 == ":" }) {
            throw CommandFailure.usage("--id \"\(id.prefix(100))\" cannot name a key; use letters and digits")
        }
        let key = SigningKey(id: id)
        try SigningKeyFile.create(key, at: file)
        for line in key.publicPEM.split(separator: "\n") { Program.writeResult(String(line)) }
    }
}
