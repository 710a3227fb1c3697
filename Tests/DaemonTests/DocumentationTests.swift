import DaemonSettings
import Daemon
import Foundation
import Settings
import Testing

@Suite("The documentation of the configuration")
struct DocumentationTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/configuration.md")

    private func settings() throws -> [String] {
        try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n").compactMap { line in
            // Keys of lists have a table of their own, with two columns.
            guard line.hasPrefix("| `"), line.count(where: { $0 == "|" }) == 4 else { return nil }
            return line.dropFirst(3).split(separator: "`").first.map(String.init)
        }
    }

    @Test("lists every setting, and none that is not there")
    func complete() throws {
        #expect(try settings().sorted() == ConfigurationKey.all.map(\.name).sorted())
    }

    @Test("tells the defaults of ranging as they are")
    func defaults() throws {
        let lines = try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n")
        for setting in RangingSetting.all {
            let line = try #require(lines.first { $0.hasPrefix("| `\(setting.name)` |") })
            #expect(line.hasSuffix("| `\(setting.standard)` |"), "\(setting.name)")
        }
    }

    @Test("has an example that is accepted")
    func example() async throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```yaml\n").last?.components(separatedBy: "```").first)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
        try example.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await DaemonConfiguration.load(file: file.path, environment: [:])
    }
}
