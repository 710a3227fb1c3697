import ArgumentParser
import Console
import Curation
import CurationStore
import Platform

struct UserLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print a link that opens once: for choosing a new password or for an account.",
        discussion: """
            With a name, the link lets the owner of that account choose a new password. Without one, it is the link \
            for the first account, as at the first start; where there is an administrator already, it invites somebody.
            """)

    @Argument(help: "The account's name.") var name: String?
    @Option(help: "The role of an invited account: viewer, editor or administrator. (default: editor)")
    var role: Account.Role?
    @Option(name: ServerOption.address.name, help: ServerOption.address.help) var address: String?
    @OptionGroup var state: StateOptions

    func validate() throws {
        guard name == nil || role == nil else {
            throw ValidationError("--role is for an invitation; with a name, the account keeps the role that it has.")
        }
    }

    mutating func run() async throws {
        // A wrong address is told before a link is made, which ends earlier ones.
        let known = ServerOption.address.value(address)
        let own = try PagesAddress(known ?? "http://\(ServeOptions.listenAddress(nil))").link
        let store = try state.store(isNew: true)
        defer { store.close() }
        let now = Moment(WallClock.now)
        let secret: String
        if let name {
            secret = try await store.passwordLink(for: name, by: .program, at: now)
        } else {
            // Whoever gets it must not have more rights than was asked for.
            if let role, role != .administrator, try await store.needsFirstAccount() {
                throw CommandFailure.usage(
                    "there is no administrator yet, and the link for the first account makes one; leave out --role "
                        + "\(role.rawValue), and invite others afterwards")
            }
            if let first = try await store.firstLink(at: now) {
                secret = first
            } else {
                secret = try await store.invite(role ?? .editor, by: .program, at: now)
            }
        }
        Program.writeResult("\(own)/link/\(secret)")
        // Only the server itself knows its options.
        if known == nil { Program.tell("if the server's pages are not at \(own), name their address with --address") }
    }
}
