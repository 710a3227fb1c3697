import ArgumentParser
import Console
import ContentServer
import Curation
import CurationStore
import Logging
import Media
import Platform
import Publishing

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Publish the drafts, or write the published site into a folder.",
        discussion: """
            With a folder, the current revision is written into it as static files for a web server, an object store \
            or a CDN; only what has changed is written. Without one, all drafts become a new revision. --drafts does \
            both. A running server notices new revisions by itself.
            """)

    @Argument(help: "The folder.") var folder: String?
    @Flag(help: "Publish the drafts first.") var drafts = false
    @Option(help: "What to say about this revision.") var note = ""
    @Option(help: "The lowest number that the revision may get, for devices that hold a later one than this server.")
    var atLeast: Int64?
    @Option(help: "Seconds for which files stay in the folder that are no longer needed.") var keep = 86_400.0
    @Option(name: ServerOption.signingKey.name, help: ServerOption.signingKey.help) var signingKey: String?
    @Flag(help: "Publish without a signature though the revision before has one. Devices with a key refuse that.")
    var unsigned = false
    @OptionGroup var state: StateOptions

    func validate() throws {
        guard keep >= 0, keep <= 1e9 else {
            throw ValidationError("--keep is a number of seconds from 0 to 1e9, not \(keep).")
        }
    }

    mutating func run() async throws {
        // A published revision is signed, or not: a folder gets it as it is.
        let ofRevision = [
            ("--at-least", atLeast != nil), ("--note", !note.isEmpty), ("--signing-key", signingKey != nil),
            ("--unsigned", unsigned),
        ]
        if folder != nil, !drafts, let option = ofRevision.first(where: { $0.1 })?.0 {
            throw CommandFailure.usage("\(option) is for a new revision; add --drafts, or leave out the folder")
        }
        let key = try unsigned ? nil : SigningKeyFile.key(signingKey)
        let publisher = try await state.publisher(key: key, mayEndSigning: unsigned)
        defer { publisher.store.close() }
        if folder == nil || drafts {
            do {
                try await PublishCheck(publisher.store).demandReady()
            } catch let refusal as GateRefusal {
                // This command has no choice of documents.
                throw CommandFailure(
                    "\(refusal.problem); correct them, or publish the others on the page Publish, or an earlier "
                        + "revision with rollback")
            }
            let revision = try await publisher.publish(note: note, atLeast: atLeast, by: .program)
            Program.writeResult("published revision \(revision.number) with \(revision.changed) changed documents")
        }
        guard let folder else { return }
        guard let site = publisher.site else {
            throw CommandFailure("nothing was published yet; publish with --drafts, or in the browser")
        }
        var target = SiteFolder(folder)
        target.keepS = keep
        let (ready, media) = (target, publisher.media)
        let outcome = try await OwnThread.run {
            try ready.publish(site.built, at: Moment(WallClock.now), media: media)
        }
        Program.writeResult(
            "revision \(site.revision.number) is in \(folder): \(outcome.written) files written, "
                + "\(outcome.kept) unchanged, \(outcome.removed) removed")
    }
}

struct RollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Publish an earlier revision again, under a higher number.")

    @Argument(help: "The revision's number.") var revision: Int64
    @Option(help: "What to say about it.") var note = ""
    @Option(help: "The lowest number that it may get, for devices that hold a later one than this server.")
    var atLeast: Int64?
    @Option(name: ServerOption.signingKey.name, help: ServerOption.signingKey.help) var signingKey: String?
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let key = try SigningKeyFile.key(signingKey)
        let publisher = try await state.publisher(key: key)
        defer { publisher.store.close() }
        let made = try await publisher.rollBack(to: revision, note: note, atLeast: atLeast, by: .program)
        Program.writeResult("published revision \(made.number) with the content of revision \(revision)")
    }
}

extension StateOptions {
    /// What publishes, with the current revision at hand.
    func publisher(key: SigningKey? = nil, mayEndSigning: Bool = false, isNew: Bool = false) async throws -> Publisher {
        let (store, media) = (try store(isNew: isNew), try media())
        let publisher = Publisher(
            store: store, media: { media.path(of: $0) }, key: key, mayEndSigning: mayEndSigning,
            pictures: PagePictures(media),
            logger: Logger(label: "beacon-content-server")
        ) { Moment(WallClock.now) }
        try await publisher.refresh()
        return publisher
    }
}
