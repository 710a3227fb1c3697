import ArgumentParser
import DaemonSettings
import Console
import Content
import Logging
import Platform
import Settings
import SiteFormat
import Synchronization
import Text

/// The last check of `beaconctl doctor`. Doctor has no network client of its own, so it becomes this command.
struct ContentCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Whether the site has a list that can be used.", shouldDisplay: false)

    @OptionGroup var content: ContentOptions

    @Option(name: .setting(.baseURL), help: .setting(.baseURL))
    var baseURL: String?

    @Option(name: .long, help: "One JSON array, with what was found before.")
    var before: String?

    @Flag(name: .long, help: "Something that was found before fails.")
    var failed = false

    func run() async throws {
        let interruption = Interruption()
        let isTold = Atomic(false)
        let (verdict, detail, remedy) = await interruption.watch(
            onSignal: { [before] in
                guard !isTold.exchange(true, ordering: .relaxed) else { return }
                if let before { Program.output(before + "\n") }
                Program.write(CheckLine.interruption(before: [CheckLine.site]) + "\n")
                // A request needs no end in order.
                interruption.endProcess()
            },
            { await finding() })
        // The signal that came at the same time has written what there is, and ends the process.
        guard !isTold.exchange(true, ordering: .relaxed) else { return await untilCancelled() }
        if let before {
            Program.output(
                CheckLine.joined(before, CheckLine.json(CheckLine.site, verdict.rawValue, detail, remedy)) + "\n")
        } else {
            Program.output(CheckLine.text(verdict, CheckLine.site, detail, remedy, .current) + "\n")
        }
        if failed || verdict == .failure { throw CommandFailure.reported }
    }

    private func finding() async -> (CheckLine.Verdict, String, String) {
        var isBare = false
        do {
            let settings = try await settings(&isBare)
            let logger = Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() }
            let found = try await SiteCheck.run(settings, logger: logger)
            guard let revision = found.revision else {
                return (
                    .warning, "\(settings.baseURL) answers, and has no list (v1/site.json)",
                    "publish one, or check content.base_url; without one, manifests are tried by their paths"
                )
            }
            return (.ok, "\(settings.baseURL): revision \(revision), \(found.manifests) manifests", "")
        } catch let error as ContentError {
            let wasRefused = !error.isTransient && error.code != .settings
            let note =
                isBare && wasRefused
                ? "; the configuration cannot be used, so it was asked without its token and keys: beaconctl config "
                    + "check"
                : ""
            return (.failure, printable("\(error.place): \(error.cause)"), printable(error.remedy) + note)
        } catch {
            return (.failure, printable("\(error)"), "beaconctl config check says more")
        }
    }

    /// The daemon's settings. Where its configuration has mistakes, which doctor reports elsewhere, only the URL.
    private func settings(_ isBare: inout Bool) async throws -> ContentSettings {
        var overrides = DaemonConfiguration.Overrides()
        overrides.baseURL = baseURL
        if let settings = try? await content.configuration(overrides).content { return settings }
        isBare = true
        return try ContentSettings(baseURL: baseURL ?? "", directory: "/nonexistent")
    }
}
