import Beacon
import Content
import Foundation
import SiteFormat
import TestSupport
import Testing

/// The example in docs/content.md is a site that works.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .timeLimit(.minutes(10)))
struct DocumentationTests {
    /// The fenced texts of the page: the path in front of each, if any, and its kind.
    static func blocks() throws -> [(path: String, kind: String, text: String)] {
        let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let page = here.deletingLastPathComponent().appendingPathComponent("../../docs/content.md").standardizedFileURL
        var blocks: [(path: String, kind: String, text: String)] = []
        var path = ""
        var kind: String?
        let text = try String(contentsOf: page, encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if kind == nil {
                    kind = String(line.dropFirst(3))
                    blocks.append((path, kind ?? "", ""))
                } else {
                    kind = nil
                    path = ""
                }
            } else if kind != nil {
                blocks[blocks.count - 1].text += "\(line)\n"
            } else if line.hasPrefix("`v1/"), let end = line.dropFirst().firstIndex(of: "`") {
                path = String(line[..<end].dropFirst())
            }
        }
        return blocks
    }

    @Test("the example can be served as it stands, and its signature is good")
    func exampleCanBeServed() async throws {
        var site = try ContentSite()
        site.hasList = false
        var key: SiteKey?
        for block in try Self.blocks() {
            switch block.kind {
            case "pem": key = try SiteKey(block.text)
            case "base64":
                let signature = try #require(Data(base64Encoded: block.text.trimmingCharacters(in: .newlines)))
                try site.write(signature, to: String(block.path.dropFirst(3)))
            // Commands, and settings of web servers, are no files of the site.
            case _ where block.path.isEmpty: continue
            default: try site.write(Data(block.text.utf8), to: String(block.path.dropFirst(3)))
            }
        }
        let nginx = try Nginx(serving: site.folder)
        let known = try #require(key)
        let bench = try Bench(nginx.baseURL) { $0.publicKeys = [known] }
        let summary = try await bench.sync.syncAll()
        #expect(summary.isComplete && summary.new == [.beacon(hall)], "\(summary)")
        let content = try #require(bench.store.content(for: hall))
        #expect(content.name == "Hall" && content.missing == 0 && content.manifest.images.first?.title == "The sun")
        #expect(try nginx.requests().count == 4)
        await bench.sync.shutdown()
    }
}
