import Curation
import Foundation
import Publishing
import SiteFormat
import TestSupport
import Testing
import Text

@Suite struct SiteArchiveTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func archive(_ hall: Hall, _ built: BuiltRevision?) throws -> ZIPReader {
        for (hash, bytes) in hall.media { try Data(bytes).write(to: URL(fileURLWithPath: folder.path("\(hash)"))) }
        let entries = try SiteArchive.entries(documents: hall.documents, built: built) { folder.path("\($0)") }
        return try archive(entries)
    }

    private func archive(_ entries: [(name: String, source: ZIPWriter.Source)]) throws -> ZIPReader {
        var writer = try ZIPWriter(entries)
        var bytes: [UInt8] = []
        while let portion = try writer.next() { bytes += portion }
        let path = folder.path("site.zip")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try ZIPReader(path)
    }

    @Test("an archive gives back the same documents and every file of the library", arguments: 0..<8 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var hall = Hall(seed: seed, beacons: 3, images: 3, languages: ["en", "de"])
        hall.addMedia("video/mp4")
        let reader = try archive(hall, seed % 2 == 0 ? try hall.build(key: SigningKey(id: nil)) : nil)
        let contents = try ArchiveContents(reader, source: "site.zip")
        #expect(contents.documents == hall.documents)
        #expect(Set(contents.media.keys) == Set(hall.media.keys))
        for (hash, entry) in contents.media {
            var bytes: [UInt8] = []
            try reader.read(entry) { bytes += $0 }
            #expect(bytes == hall.media[hash])
        }
    }

    @Test("more documents than an import takes are not exported")
    func limit() throws {
        let hall = Hall(seed: 3, beacons: 3, images: 3)
        func documents(atMost limit: Int64) throws -> [UInt8] {
            let entries = try SiteArchive.entries(documents: hall.documents, built: nil, atMost: limit) { "\($0)" }
            guard case .bytes(let bytes)? = entries.first(where: { $0.name == "curation/documents.jsonl" })?.source
            else { return [] }
            return bytes
        }
        let whole = try documents(atMost: SiteArchive.documentsLimit)
        #expect(!whole.isEmpty)
        #expect(try documents(atMost: Int64(whole.count)) == whole)
        let error = #expect(throws: PublishingError.self) { try documents(atMost: Int64(whole.count) - 1) }
        #expect(error?.code == .limit && error?.place == "curation/documents.jsonl")
    }

    @Test("its folder v1 is the published site, whole")
    func site() throws {
        let hall = Hall(seed: 20, beacons: 2, images: 2)
        let reader = try archive(hall, try hall.build())
        let list = try #require(try reader.bytes("v1/site.json", atMost: 1 << 20))
        #expect(try siteFaults(list: list) { try reader.bytes("v1/\($0)", atMost: 1 << 20) }.isEmpty)
    }

    @Test(
        "what is no export is refused with the place",
        arguments: [
            ("", "it has no curation/documents.jsonl"),
            ("{", "documents.jsonl:1"),
            (
                #"{"id":"a","kind":"beacon","body":{}}"# + "\n" + #"{"id":"a","kind":"beacon","body":{}}"#,
                "documents.jsonl:2"
            ),
            (#"{"id":"site","kind":"beacon","body":{}}"#, "documents.jsonl:1"),
            (#"{"id":"../a","kind":"beacon","body":{}}"#, "documents.jsonl:1"),
            (#"{"id":"a","kind":"door","body":{}}"#, "documents.jsonl:1: kind"),
            (#"{"id":"a","kind":"image","body":{"rank":"x"}}"#, "body.rank"),
        ])
    func refused(text: String, message: String) throws {
        let entries: [(name: String, source: ZIPWriter.Source)] =
            text.isEmpty ? [("v1/site.json", .bytes([1]))] : [("curation/documents.jsonl", .bytes(Array(text.utf8)))]
        let reader = try archive(entries)
        let error = try #require(throws: PublishingError.self) { try ArchiveContents(reader, source: "site.zip") }
        #expect(error.code == .format)
        #expect(error.description.contains(message), "\(error)")
    }

    @Test("documents are counted before the first is read: a small archive of very many lines is refused at once")
    func manyLines() throws {
        let text = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20)
        let lines = try ArchiveLines(text, limits: .init(), source: "x")
        #expect(lines.lines.isEmpty, "empty lines are no documents")

        let many = Array(String(repeating: "a\n", count: 1_000_000).utf8)
        let reader = try archive([("curation/documents.jsonl", .bytes(many))])
        let error = try #require(throws: PublishingError.self) { try ArchiveContents(reader, source: "site.zip") }
        // None was decoded: the first one is no JSON.
        #expect(error.code == .limit && error.place == "site.zip: curation/documents.jsonl:100002")
        #expect(error.problem.contains("more than 100001 documents") && !error.remedy.isEmpty)
    }

    @Test("as many documents as the limit says are taken, and one more is refused", arguments: [1, 2, 3])
    func lineLimit(most: Int) throws {
        let text = (0..<2).map { "{\"id\":\"a\($0)\",\"kind\":\"beacon\",\"body\":{}}\n\n" }.joined()
        let reader = try archive([("curation/documents.jsonl", .bytes(Array(text.utf8)))])
        let contents = { try ArchiveContents(reader, source: "site.zip", limits: .init(lines: most)) }
        if most >= 2 {
            #expect(try contents().documents.count == 2)
        } else {
            let error = try #require(throws: PublishingError.self) { try contents() }
            #expect(error.code == .limit && error.place == "site.zip: curation/documents.jsonl:3")
        }
    }

    @Test("a line that is longer than any document is refused before it is read")
    func longLine() throws {
        let limits = ArchiveLines.Limits(documentBytes: 100)
        let whole = [UInt8](repeating: UInt8(ascii: "a"), count: 1124)
        #expect(try ArchiveLines(whole, limits: limits, source: "x").lines.map(\.range) == [0..<1124])
        let error = try #require(throws: PublishingError.self) {
            try ArchiveLines(Array("b\n".utf8) + whole + Array("a\n".utf8), limits: limits, source: "x")
        }
        #expect(error.code == .limit && error.place == "x:2")
    }
}
