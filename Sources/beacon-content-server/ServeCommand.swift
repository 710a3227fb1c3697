import ArgumentParser
import Console
import ContentServer
import Curation
import CurationStore
import Logging
import Media
import Platform
import Serving
import Settings

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
        let store = try CurationStore(folder: state)
        let media = try MediaLibrary(folder: state, helper: ImageHelper())
        let services = try CuratorServices(settings: settings, store: store, media: media) {
            Moment(WallClock.now)
        }
        let socket = try ListeningSocket.bound(to: try ListenAddress(listen))
        let service = ContentService(services, sockets: [socket], logger: Logger(label: "server"))
        try await UntilStopped.run(for: nil) { try await service.run() }
    }
}
