import ArgumentParser
import Console
import ContentServer
import Curation
import CurationStore
import Logging
import Media
import Platform
import Publishing
import Serving
import Settings
import Text
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the curators' pages, the API and the content.",
        discussion: "At the first start it prints a link for the first account. SIGHUP reads the certificate again.")

    @OptionGroup var state: StateOptions
    @OptionGroup var options: ServeOptions

    mutating func run() async throws {
        Program.keepMemorySmall()
        var address = try options.listenAddress()
        let tls = try options.tls()
        let broker = try options.broker.reportBroker()
        var limits = ContentService.limits
        limits.connections = try ServerOption.connections.number(options.maxConnections, in: 1...100_000)
        // What is written wrongly is told before anything is opened.
        var settings = try options.settings(state: state.folder, listening: address, isEncrypted: tls != nil)
        let folder = try options.siteFolder()
        let inherited = try ListeningSocket.inherited(isUnix: false)
        let sockets = inherited.isEmpty ? [try ListeningSocket.bound(to: address)] : inherited
        // With port 0 the system has chosen one.
        if let port = sockets.first?.port { address.port = port }
        settings.address = try options.ownAddress(listening: address, isEncrypted: tls != nil).link
        let store = try state.store(isNew: true)
        defer { store.close() }
        let services = try CuratorServices(
            settings: settings, store: store, media: try state.media(), key: try SigningKeyFile.key(options.signingKey),
            folder: folder
        ) { Moment(WallClock.now) }
        try await services.publisher.refresh()
        let logger = Logger(label: "beacon-content-server")
        let service = ContentService(services, sockets: sockets, limits: limits, tls: tls, logger: logger)
        // A service is told to reload by SIGHUP; a program in a terminal ends with the terminal. Trapped before anybody
        // can know that the server is there.
        let hangupEnds = tls == nil && Terminal.hasReader
        let hangups = hangupEnds ? nil : await UnixSignalsSequence(trapping: .sighup)
        try await UntilStopped.run(for: nil, hangupEnds: hangupEnds) { [address = settings.address] in
            // Not before signals are watched: who reads this may end the server at once.
            if let link = try await store.firstLink(at: Moment(WallClock.now)) {
                Program.writeResult("the first account is made at \(address)/link/\(link)")
            }
            Program.writeResult("the pages are at \(address)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                group.addTask { await services.publisher.run() }
                group.addTask { await MediaUpkeep(services).run() }
                if let hangups { group.addTask { await Self.reload(tls, at: hangups) } }
                if let broker {
                    group.addTask { try await ReportSubscriber(broker, services, logger: logger).run() }
                }
                // The others end only if they are cancelled: whatever ends first ends the program.
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// SIGHUP: certificates are renewed every few weeks, and connections should not end for it.
    private static func reload(_ tls: TLSMaterial?, at hangups: UnixSignalsSequence) async {
        for await _ in hangups {
            guard let tls else {
                Program.tell("nothing was read again: there is no certificate, and the options count from a restart")
                continue
            }
            do {
                try tls.reload()
                Program.tell("the certificate was read again")
            } catch {
                Program.complain("\(error); the former certificate stays in use", as: "beacon-content-server")
            }
        }
    }
}
