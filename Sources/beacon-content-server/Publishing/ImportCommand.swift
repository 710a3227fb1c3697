import ArgumentParser
import Console
import ContentServer
import Curation
import CurationStore
import Platform
import Publishing
import Text

/// What import reads: what export writes, without TourML.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case zip, beacons, texts

    var table: SiteExchange.Table? { ExportFormat(rawValue: rawValue)?.table }
}

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read what export has written.",
        discussion: """
            Everything becomes drafts: documents of the same name get a new version, nothing is deleted, and the \
            history can undo it. Tables are read whole first; with a mistake in them nothing is changed.
            """)

    @Argument(help: "The file.") var file: String
    @Option(help: "zip, beacons or texts.") var format = ImportFormat.zip
    @Flag(help: "Only show what would be changed.") var dryRun = false
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let exchange = try await state.exchange(isNew: !dryRun)
        let now = Moment(WallClock.now)
        guard let table = format.table else {
            if dryRun {
                let plan = try await exchange.planArchive(file)
                for change in plan.changes {
                    let name = change.after.name(in: [.english])
                    Program.writeResult("\(change.id): \(change.what.rawValue): \(name)")
                }
                return show(counted(plan.changes.count, "document") + " would be saved", plan)
            }
            let plan = try await exchange.importArchive(file, by: .program, at: now)
            return show(counted(plan.changes.count, "document") + " saved", plan)
        }
        // Foundation would take the first short read of a pipe for the end of the table.
        guard let bytes = FileContents.read(file, limit: CSVTable.bytesLimit) else {
            throw CommandFailure("\(file): it cannot be read, or is larger than 16 MiB")
        }
        let plan = try await exchange.plan(table, bytes, source: file)
        for change in plan.changes {
            let name = change.after.name(in: [.english])
            Program.writeResult("line \(change.line): \(change.before == nil ? "new" : "changed"): \(name)")
        }
        for mistake in plan.mistakes {
            Program.writeResult("line \(mistake.line): \(mistake.column): \(mistake.text)")
        }
        guard plan.mistakes.isEmpty else {
            throw CommandFailure("\(file) has \(counted(plan.mistakes.count, "mistake")); nothing was imported")
        }
        let count = dryRun ? plan.documents.count : try await exchange.carryOut(plan, by: .program, at: now)
        let saved = counted(count, "document") + (dryRun ? " would be saved" : " saved")
        Program.writeResult("\(saved), \(counted(plan.unchanged, "line")) without a change")
    }

    private func show(_ saved: String, _ plan: ArchivePlan) {
        Program.writeResult(
            "\(saved), \(plan.unchanged) are as they are here, \(counted(plan.files, "new file"))")
    }
}
