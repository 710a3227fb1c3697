import ArgumentParser
import Beacon
import Console
import Fleet
import FleetServer
import Foundation
import Platform
import Settings
import Text
import YAMLText

/// What a resolver shows besides what it publishes.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Serve the page, the API and the metrics there: a port (8090: for this machine), or an IP address and a "
                + "port.",
            valueName: "address"))
    var http: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the token that clients send; needed if other machines reach --http.", valueName: "file"))
    var httpTokenFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A name by which clients may address this machine, besides its own; may be repeated.", valueName: "host"))
    var httpName: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A folder with plans.yaml and the pictures of the floors, for the page.", valueName: "folder"))
    var plans: String?

    @OptionGroup var names: NamesOption

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep the history of rooms in this folder, for the page and for report.", valueName: "folder"))
    var state: String?

    static let usualHistoryDays = 30

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many days to keep the history (default: \(Self.usualHistoryDays)).", valueName: "days"))
    var historyDays: Int?

    func validate() throws {
        if let historyDays {
            guard (1...3650).contains(historyDays) else {
                throw ValidationError("--history-days \(historyDays): write a number from 1 to 3650.")
            }
            guard state != nil else { throw ValidationError("--history-days: no history is kept; add --state FOLDER.") }
        }
        for name in httpName {
            guard let problem = HostPort.problem(ofHost: name) else { continue }
            throw ValidationError("--http-name \(excerpt(name)) \(problem.cause): \(problem.remedy).")
        }
        guard http != nil || (httpTokenFile == nil && httpName.isEmpty && plans == nil) else {
            throw ValidationError("--http-token-file, --http-name and --plans are for the page: add --http 8090.")
        }
        if state == "" { throw ValidationError("--state is empty: name a folder.") }
    }

    /// Makes the folder of the history if it is not there: later a mistyped one would only be a line among others.
    func makeStateFolder() throws {
        guard let state else { return }
        do {
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        } catch {
            // Status 1 and not 2: a disk may be mounted, or writable, later, so that the service is started again.
            throw CommandFailure("--state \(excerpt(state)): no folder can be made there; name another one")
        }
        guard access(state, W_OK | X_OK) == 0 else {
            let failure = SystemFailure()
            let advice = failure.code == EROFS ? "\(InstalledService.fleet.toWrite), or " : ""
            throw CommandFailure("--state \(excerpt(state)): \(failure); \(advice)name a folder of this user")
        }
    }

    var isUsed: Bool { http != nil || state != nil }

    /// Where to listen, and the plans; nil where nothing is served.
    func server() throws -> (ControlSettings, PlanFolder)? {
        guard let http else { return nil }
        var settings = ControlSettings(socket: nil, hosts: httpName)
        do {
            settings.listen = try ListenAddress(http)
        } catch {
            throw CommandFailure.usage("--http: \(error)")
        }
        settings.token = try httpTokenFile.map { try Secrets.firstLine(of: $0, for: .fleet) }
        if let token = settings.token, !ControlSettings.isToken(token) {
            throw CommandFailure.usage("--http-token-file: a token is made of letters, digits and signs other than ;")
        }
        if let listen = settings.listen, !listen.isLoopback, settings.token == nil {
            throw CommandFailure.usage(
                "--http: others on the network reach \(listen), so a token has to be asked for: add --http-token-file, "
                    + "or listen on 127.0.0.1:\(listen.port)")
        }
        guard let network = settings.overNetwork else { return nil }
        do {
            return (network, try plans.map { folder throws(DocumentError) in try PlanFolder(folder) } ?? PlanFolder())
        } catch {
            throw CommandFailure.usage("\(error)")
        }
    }
}
