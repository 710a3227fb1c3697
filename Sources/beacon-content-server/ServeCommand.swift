import ArgumentParser
import Console
import ContentServer
import Curation
import Logging
import Platform

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Serve the pages and the content.")

    @Option(help: "The folder with the database and the media.")
    var state = "/var/lib/beacon-content-server"

    @Option(help: "The address and port to listen on.")
    var listen = "127.0.0.1:8090"

    @Option(help: "Read templates, languages and assets from this folder at each request.")
    var resources: String?

    mutating func run() async throws {
        var settings = ServerSettings(state: state, address: "http://\(listen)")
        settings.resources = resources
        let services = try CuratorServices(settings: settings, accounts: TemporaryAccounts()) {
            Moment(WallClock.now)
        }
        let parts = listen.split(separator: ":")
        let service = ContentService(
            services, host: String(parts[0]), port: Int(parts[1]) ?? 8090, logger: Logger(label: "server"))
        try await UntilStopped.run(for: nil) { try await service.run() }
    }
}

/// Until the store has accounts: everybody is an administrator.
private struct TemporaryAccounts: AccountsAccess {
    func visitor(session token: String, at: Moment) async -> Visitor? {
        Visitor(account: "admin", role: .administrator)
    }
    func signIn(name: String, password: String, address: String, at: Moment) async throws(Refusal) -> String { "abc" }
    func signOut(session token: String, at: Moment) async {}
}
