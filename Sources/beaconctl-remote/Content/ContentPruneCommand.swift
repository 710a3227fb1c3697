import ArgumentParser
import Console
import Content
import Events
import Text

struct ContentPruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Removes what no manifest needs, and what the site no longer has.")

    @OptionGroup var content: ContentOptions

    @OptionGroup var output: ContentFormatOptions

    func run() async throws {
        let report = try await content.opened().prune()
        if output.isJSON {
            Program.output(ContentText.json(report) + "\n")
        } else {
            let size = ByteCount.text(report.bytes)
            Program.output("\(report.assets) files removed, \(size); \(report.documents) manifests removed\n")
        }
    }
}
