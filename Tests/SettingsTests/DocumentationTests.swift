import Foundation
import Settings
import Testing

/// docs/configuration.md has two tables that are written from the schema. With `BEACOND_WRITE_DOCUMENTS=1` the tests
/// write them.
@Suite("The documentation of the configuration")
struct DocumentationTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/configuration.md")

    /// A table as it should be, by its head.
    static let tables: [(head: String, rows: [String])] = [
        ("| setting | what it is | default |", Setting.all.map(\.row)),
        ("| setting | after a reload |", Setting.changes),
    ]

    @Test("has each setting as the schema declares it", .serialized, arguments: tables.indices)
    func table(index: Int) throws {
        let (head, rows) = Self.tables[index]
        var lines = try String(contentsOf: Self.document, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: head)) + 2
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        if ProcessInfo.processInfo.environment["BEACOND_WRITE_DOCUMENTS"] == "1" {
            lines.replaceSubrange(start..<end, with: rows)
            try lines.joined(separator: "\n").write(to: Self.document, atomically: true, encoding: .utf8)
        } else {
            #expect(Array(lines[start..<end]) == rows, "write it with BEACOND_WRITE_DOCUMENTS=1")
        }
    }
}
