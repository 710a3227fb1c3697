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
}
