import ArgumentParser
import Console
import Content
import ControlClient
import DaemonSettings
import Events
import Logging
import Settings
import SiteFormat
import Synchronization
import Text

struct ContentSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Fetches everything that the site has, and removes what it no longer has.",
        discussion: """
            On a terminal a bar shows how far it is; elsewhere there is a line every few seconds. Exit status 1 when \
            anything failed; what was there before stays in use. A list that would remove more than half of what there \
            is, or whose revision cannot be right, is refused, with what to do.
            """)

    @OptionGroup var content: ContentOptions

    @Option(name: .setting(.baseURL), help: .setting(.baseURL))
    var baseURL: String?

    @Flag(name: .long, help: "The site's list may remove more than half of what there is, at once.")
    var acceptRemovals = false

    @Flag(name: .long, help: "The site's list may have any revision: a lower one, or one that is far higher.")
    var acceptRevision = false

    @OptionGroup var output: ContentFormatOptions

    func run() async throws {
        do {
            try await sync()
        } catch let error as ContentError where output.isJSON {
            tell(error, code: error.code)
            throw error
        } catch let error as ControlClientError where output.isJSON {
            tell(error, code: error.code == .connectionLost ? .connection : .refused)
            throw error
        }
    }

    /// The last line, as the daemon writes it.
    private func tell(_ error: some ExplainedError, code: ContentError.Code) {
        Program.output(ContentText.json(failure: error, code: code.rawValue) + "\n")
    }

    private func sync() async throws {
        if let client = try content.daemon(unless: baseURL != nil) { return try await sync(by: client) }
        Program.keepMemorySmall()
        let settings = try await settings()
        let store = try ContentStore(directory: settings.directory)
        let sync = try StoreAccess.sayingWhoSyncs { () throws(ContentError) in
            try ContentSync(
                settings: settings, store: store, logger: Logger(label: "content") { _ in SwiftLogNoOpLogHandler() })
        }
        let presenter = SyncPresenter(isJSON: output.isJSON)
        let interruption = Interruption()
        let accepting = accepting
        let result = await interruption.watch(onSignal: { await sync.shutdown() }) {
            do throws(ContentError) {
                return Result<SyncSummary, ContentError>.success(
                    try await sync.syncAll(accepting: accepting) { presenter.show($0, at: ContinuousClock.now) })
            } catch {
                return .failure(error)
            }
        }
        await sync.shutdown()
        presenter.clear()
        try interruption.check()
        let summary = try result.get()
        Program.output(presenter.summary(summary) + "\n")
        if !summary.isComplete { throw CommandFailure.reported }
    }

    private var accepting: SiteAcceptance {
        var accepting: SiteAcceptance = []
        if acceptRemovals { accepting.insert(.removals) }
        if acceptRevision { accepting.insert(.revision) }
        return accepting
    }

    /// The daemon syncs. Ctrl-C ends only the display.
    private func sync(by client: ControlClient) async throws {
        let presenter = SyncPresenter(isJSON: output.isJSON)
        let outcome = SyncOutcome()
        let query = [acceptRemovals ? "accept_removals=1" : nil, acceptRevision ? "accept_revision=1" : nil]
            .compactMap { $0 }.joined(separator: "&")
        do {
            try await UntilStopped.run(for: nil, isFinite: true) {
                try await client.lines("/v1/content/sync" + (query.isEmpty ? "" : "?\(query)"), isPost: true) { line in
                    outcome.hasBegun.withLock { $0 = true }
                    switch try SyncLine(line) {
                    case .progress(let progress): presenter.show(progress, at: ContinuousClock.now)
                    case .summary(let summary): outcome.summary.withLock { $0 = summary }
                    }
                    return true
                }
            }
        } catch let error as ControlClientError where error.code == .connectionLost {
            // A daemon that shuts down does not wait for the client.
            guard outcome.hasBegun.withLock({ $0 }) else { throw error }
        }
        presenter.clear()
        guard let summary = outcome.summary.withLock({ $0 }) else {
            throw ContentError(
                code: .connection, place: "", cause: "the daemon ended before the sync did",
                remedy: "beaconctl content sync continues where it stopped")
        }
        Program.output(presenter.summary(summary) + "\n")
        if !summary.isComplete { throw CommandFailure.reported }
    }

    private final class SyncOutcome: Sendable {
        let hasBegun = Mutex(false)
        let summary = Mutex<SyncSummary?>(nil)
    }

    private func settings() async throws -> ContentSettings {
        var overrides = DaemonConfiguration.Overrides()
        overrides.baseURL = baseURL
        let configuration = try await content.configuration(overrides)
        guard let settings = configuration.content else {
            throw CommandFailure.usage(
                "no content site is configured; give it with --base-url URL, or as content.base_url in "
                    + (content.file ?? DaemonConfiguration.defaultFile))
        }
        return try content.store.map { try settings.stored(in: $0) } ?? settings
    }
}
