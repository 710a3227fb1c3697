import Foundation
import RadioEmulation
import Testing

@Suite("The documentation of scenarios")
struct DocumentationTests {
    @Test("has an example that is accepted, and has every beacon in it")
    func example() throws {
        let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/scenarios.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```yaml\n").last?.components(separatedBy: "```").first)
        let scenario = try Scenario(yaml: example, file: "docs/scenarios.md")
        #expect(scenario.beacons.count == 3)
        #expect(scenario.names.values.sorted() == ["Steam Engine", "Whale Skeleton"])
    }
}
