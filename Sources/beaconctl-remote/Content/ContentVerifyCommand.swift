import ArgumentParser
import Beacon
import Console
import Content
import Events
import Platform
import Radio
import SiteFormat
import Text

struct ContentVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads every stored file again, and removes those that are damaged.",
        discussion: """
            What was removed is fetched again by the next sync. Exit status 1 when anything was damaged or is missing.
            """)

    @OptionGroup var content: ContentOptions

    @Flag(name: .long, help: "Only check. This needs no write permission, and works while the daemon syncs.")
    var dryRun = false

    @OptionGroup var output: ContentFormatOptions

    func run() async throws {
        let access = try await content.opened()
        let line = ProgressLine()
        let report = try await access.verify(repair: !dryRun) { bytes in
            line.show(at: SteadyClock.elapsed / .seconds(1)) { _ in "\(ByteCount.text(bytes)) read" }
        }
        line.clear()
        Program.output((output.isJSON ? ContentText.json(report) : text(report)) + "\n")
        if !report.isComplete { throw CommandFailure.reported }
    }

    private func text(_ report: VerifyReport) -> String {
        var lines = report.damagedAssets.map { "damaged  \($0)" }
        lines += report.damagedDocuments.map { "damaged  \($0)" }
        let damaged = Set(report.damagedAssets)
        let missing =
            report.missingAssets.filter { !damaged.contains($0) }.map(\.description) + report.missingDocuments
        lines += missing.map { "missing  \($0)" }
        let read = "\(report.assets) files, \(ByteCount.text(report.bytes))"
        if report.isComplete {
            lines.append("\(read): all as they should be")
        } else {
            let count = report.damagedAssets.count + report.damagedDocuments.count
            // A sync does not read again what is stored.
            let removal = dryRun && count > 0 ? "beaconctl content verify removes what is damaged, then " : ""
            lines.append(
                "\(read): \(count) damaged\(report.isRepaired ? " and removed" : ""), "
                    + "\(missing.count) missing; \(removal)beaconctl content sync fetches them")
        }
        if report.notStored > 0 {
            let manifests = counted(report.notStored, "manifest")
            lines[lines.count - 1] += "; \(manifests) of the site's list not stored"
        }
        return lines.joined(separator: "\n")
    }
}
