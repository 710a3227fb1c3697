import Foundation
import Testing
import TestSupport

import VisitorPage

@Suite("The page's files", .timeLimit(.minutes(10)))
struct PageFileTests {
    static let all = [VisitorPage.index] + VisitorPage.files

    @Test("are compressed as gzip itself reads it, and smaller by more than half in all")
    func compressed() async throws {
        let compressed = Self.all.filter { $0.gzipped != nil }
        #expect(!compressed.isEmpty)
        for file in compressed {
            let gzipped = try #require(file.gzipped)
            let path = try temporaryFolder("gzip") + "/file.gz"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Data(gzipped).write(to: URL(filePath: path))
            let end = try await RunningProgram.run("gzip", ["-dc", path])
            #expect(end.status == 0)
            #expect(end.output.utf8.elementsEqual(file.octets), "\(file.name)")
        }
        let plain = Self.all.reduce(0) { $0 + $1.octets.count }
        let sent = Self.all.reduce(0) { $0 + ($1.gzipped ?? $1.octets).count }
        #expect(sent * 2 < plain, "\(sent) of \(plain)")
    }

    @Test(
        "are sent compressed to those who take it",
        arguments: [
            ("gzip", true), ("gzip, deflate, br, zstd", true), ("br;q=1.0, GZIP;q=0.8", true), ("*", true),
            ("*;q=0", false), ("gzip;q=0", false), ("gzip;q=0, *", false), ("identity", false), ("", false),
            ("gzip;q=x", false), (";;,,=", false), ("xgzip", false),
        ])
    func negotiated(accepted: String, isTaken: Bool) {
        let file = VisitorPage.index
        let (octets, fields) = file.coded(for: accepted)
        #expect((fields["Content-Encoding"] == "gzip") == isTaken)
        #expect((octets == file.octets) == !isTaken)
        #expect((fields["ETag"] == file.fields["ETag"]) == !isTaken)
        #expect(fields["Vary"] == "Accept-Encoding")
    }

    @Test("without being asked they are sent as they are")
    func unasked() {
        #expect(VisitorPage.index.coded(for: nil).fields["Content-Encoding"] == nil)
    }

    @Test("everything that a file imports or links is there")
    func complete() throws {
        let names = Set(Self.all.map(\.name))
        for file in Self.all {
            let text = String(decoding: file.octets, as: UTF8.self)
            let imported = text.matches(of: /from "\.\/([a-z.]+)"/).map { String($0.1) }
            let linked = text.matches(of: /(?:src|href)="page\/([a-z.]+)"/).map { String($0.1) }
            #expect(names.isSuperset(of: imported + linked), "\(file.name)")
        }
    }

    @Test("styles know no left and right, so that the page can be mirrored")
    func mirrored() {
        for file in Self.all where file.name.hasSuffix(".css") {
            for line in String(decoding: file.octets, as: UTF8.self).split(separator: "\n") {
                // The sides of an image are what content calls them; where reading begins is said once.
                let rest = line.replacing(/^html(\[dir="rtl"\])? \{.*/, with: "").replacing(
                    /\.(left|right)\b/, with: "")
                let side = /(^|[^-\w])(left|right)\s*:|-(left|right)\s*:|text-align:\s*(left|right)/
                #expect(!rest.contains(side), "\(file.name): \(line)")
            }
        }
    }

    @Test("no page allows anything inline but its own style, or anything of another host")
    func policies() {
        let pages = Self.all + [
            PlainPage.list([], more: 0, isBlind: false), PlainPage.refusal("a", whatToDo: "b", asksForToken: true),
        ]
        for page in pages where page.name != "frame.html" {
            let policy = page.fields["Content-Security-Policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'"), "\(page.name)")
            for word in ["unsafe", "http", "*"] { #expect(!policy.contains(word), "\(page.name): \(policy)") }
        }
    }
}
