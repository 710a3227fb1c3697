import DaemonSettings
import Foundation
import Testing

@Suite("The documented configuration", .timeLimit(.minutes(10)))
struct DocumentedExampleTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/configuration.md")

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
