import Foundation
import TestSupport
import Testing

@Suite(
    "Pictures of terminals", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: WebPeers.browserAbsence == nil, "\(WebPeers.browserAbsence ?? "")"))
struct TerminalPictureTests {
    @Test("keep every letter in its column")
    func spaces() async throws {
        let folder = try TemporaryFolder()
        let lines = [
            "  #  BEACON           RSSI  DISTANCE   10-90 %", "▶ 1  Telegraph       -60.2     1.1 m   0.5–2.8    ▄▄▅▅",
            "        deep          <b>&amp;</b>     end",
        ]
        let end = try await RunningProgram.run(
            "python3", ["-B", "\(Programs.project)/tools/terminal-picture", "title"],
            input: .text("\(lines[0])\n\u{1B}[1m\(lines[1])\u{1B}[0m\n\(lines[2])\n"))
        try #require(end.status == 0, "\(end.errors)")
        try end.output.write(toFile: "\(folder)/terminal.svg", atomically: true, encoding: .utf8)
        #expect(try await Self.shown("\(folder)/terminal.svg") == lines)
    }

    @Test("in the documentation are readable")
    func documented() async throws {
        let lines = try await Self.shown("\(Programs.project)/docs/demo.svg")
        let head = try #require(lines.first { $0.contains("BEACON") })
        // The columns of the table's head and of its rows begin at the same places.
        let column = try #require(head.range(of: "BEACON")).lowerBound.utf16Offset(in: head)
        let names = ["Steam Engine", "Whale Skeleton", "Star Globe"]
        for name in names {
            let row = try #require(lines.first { $0.contains(name) && $0.contains(" m ") }, "\(name): \(lines)")
            #expect(row.range(of: name)?.lowerBound.utf16Offset(in: row) == column, "\(head)\n\(row)")
        }
    }

    private static func shown(_ path: String) async throws -> [String] {
        let look = try WebPeers.look("drawing", at: "file://\(path)", pictures: Visit.pictures)
        let end = try await look.wait()
        guard end.status == 0, let line = end.lines.last else { throw RunningProgram.Failure(description: end.errors) }
        return try JSONDecoder().decode([String: [String]].self, from: Data(line.utf8))["lines"] ?? []
    }
}
