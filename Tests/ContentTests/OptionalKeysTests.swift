import Beacon
import Foundation
import SiteFormat
import Testing
import TestSupport

@Suite("The optional keys of manifests and lists")
struct OptionalKeysTests {
    private static func asset(_ number: Int, _ type: String, _ more: String = "") -> String {
        let hash = String(repeating: "0", count: 62) + (number < 10 ? "0" : "") + "\(number)"
        return #"{"sha256":"\#(hash)","bytes":\#(number),"media_type":"\#(type)"\#(more)}"#
    }

    private static func image(_ first: Int) -> String {
        """
        {"id":"a","title":"T","asset":\(asset(first, "image/png")),"alt":"","category":"c","tags":["x","y"],
         "audio":{"asset":\(asset(first + 1, "audio/mpeg")),"transcript":"said"},
         "sign_language":\(asset(first + 2, "video/mp4")),
         "valid_from":"2026-05-01T08:00:00Z","valid_until":"2026-06-01T10:00:00+02:00",
         "contents":[{"id":"v","kind":"video","assets":[\(asset(first + 3, "video/mp4", #","alt":"what it shows""#))],
           "captions":\(asset(first + 4, "text/vtt")),"sign_language":\(asset(first + 5, "video/mp4"))}]}
        """
    }

    static let full = """
        {"format":1,"beacon":null,"language":"en","fallback":["en","de"],"images":[\(image(10))],
         "variants":{"de":{"beacon":{"name":"Wal"},"images":[\(image(20))]},"bs":{"images":[\(image(10))]}}}
        """

    @Test("every file of every language is an asset, each once")
    func assets() throws {
        let manifest = try Manifest(json: Array(Self.full.utf8))
        #expect(manifest.assets.map(\.bytes) == [10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25])
        #expect(manifest.languages == ["en", "bs", "de"])
        #expect(manifest.variants["de"]?.beacon?.name == "Wal")
        #expect(manifest.fallback == ["en", "de"])
    }

    @Test("are read as they are written")
    func values() throws {
        let image = try #require(try Manifest(json: Array(Self.full.utf8)).images.first)
        #expect(image.alt == "")
        #expect(image.audio?.transcript == "said")
        #expect(image.category == "c")
        #expect(image.tags == ["x", "y"])
        #expect(image.contents.first?.assets.first?.alt == "what it shows")
        #expect(image.contents.first?.captions?.mediaType == "text/vtt")
        let from = try #require(Timestamp(rfc3339: "2026-05-01T08:00:00Z"))
        let until = try #require(Timestamp(rfc3339: "2026-06-01T08:00:00Z"))
        #expect(!image.isValid(at: from.advanced(bySeconds: -1)))
        #expect(image.isValid(at: from))
        #expect(image.isValid(at: until.advanced(bySeconds: -1)))
        #expect(!image.isValid(at: until))
    }

    @Test("are the same after writing, and equal manifests are equal bytes")
    func written() throws {
        let manifest = try Manifest(json: Array(Self.full.utf8))
        let bytes = try manifest.json()
        #expect(try Manifest(json: bytes) == manifest)
        #expect(try Manifest(json: bytes).json() == bytes)
    }

    @Test("a missing alternative text is written as null, an older manifest is read as before")
    func older() throws {
        let old = #"{"format":1,"beacon":null,"images":[{"id":"a","asset":\#(Self.asset(1, "image/png")),"contents":"#
            + #"[{"id":"b","kind":"image","assets":[\#(Self.asset(2, "image/png"))],"unknown":[1]}]}],"more":{}}"#
        let manifest = try Manifest(json: Array(old.utf8))
        #expect(manifest.assets.map(\.bytes) == [1, 2])
        #expect(manifest.languages.isEmpty)
        #expect(manifest.images.first?.alt == nil)
        #expect(manifest.images.first?.isValid(at: Timestamp(seconds: 0)) == true)
        let text = String(decoding: try manifest.json(), as: UTF8.self)
        #expect(text.ranges(of: #""alt":null"#).count == 2)
    }

    @Test(
        "a mistake is refused with its place",
        arguments: [
            (#""alt":"","category":"c""#, #""alt":5,"category":"c""#, "images[0].alt"),
            (#""transcript":"said""#, #""transcript":[]"#, "images[0].audio.transcript"),
            (#""valid_from":"2026-05-01T08:00:00Z""#, #""valid_from":"today""#, "images[0].valid_from"),
            (#""tags":["x","y"]"#, #""tags":"x""#, "images[0].tags"),
            (#""name":"Wal""#, #""name":7"#, "variants.de.beacon.name"),
            (#""fallback":["en","de"]"#, #""fallback":"en""#, "fallback"),
            (#""de":{"#, #""d/e":{"#, "variants.d/e"),
            (#""bytes":14"#, #""bytes":-1"#, "images[0].contents[0].captions.bytes"),
        ])
    func mistakes(text: String, wrong: String, place: String) throws {
        let range = try #require(Self.full.range(of: text))
        let json = Self.full.replacingCharacters(in: range, with: wrong)
        let error = #expect(throws: ContentError.self) { try Manifest(json: Array(json.utf8), source: "m") }
        #expect(error?.code == .format)
        #expect(error?.place == "m: \(place)")
    }

    @Test("one file with two sizes is refused, also if the second is in another language")
    func sizes() throws {
        let json = Self.full.replacing(#""bytes":21"#, with: #""bytes":22"#)
        let hash = String(repeating: "0", count: 62)
        let twice = json.replacing("\(hash)21", with: "\(hash)11")
        #expect(throws: ContentError.self) { try Manifest(json: Array(twice.utf8)) }
    }

    @Test("languages and the path for reports are in the list, before and after writing")
    func list() throws {
        let json = """
            {"format":1,"revision":3,"languages":["en","de"],"reports":"reports","beacons":[
             {"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":2,"name":"Hall","manifest":"manifests/a.json",
              "sha256":"\(String(repeating: "a", count: 64))"},
             {"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","manifest":"manifests/b.json",
              "sha256":"\(String(repeating: "b", count: 64))"}],"uncategorized":null}
            """
        let list = try SiteList(json: Array(json.utf8))
        #expect(list.languages == ["en", "de"])
        #expect(list.reports?.description == "reports")
        let again = try SiteList(json: try list.json())
        #expect(again.entries == list.entries)
        #expect(again.languages == list.languages)
        #expect(again.reports == list.reports)
        #expect(try again.json() == list.json())
    }

    @Test(
        "no path for reports leads out of the site",
        arguments: ["https://evil.example/", "../r", "//evil", "r?a=b", ""])
    func reports(path: String) {
        let json = #"{"format":1,"revision":3,"reports":"\#(path)","beacons":[],"uncategorized":null}"#
        #expect(throws: ContentError.self) { try SiteList(json: Array(json.utf8)) }
    }

    @Test("bytes that are broken at random are read or refused, and what is read can be written")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 15)
        var (read, refused, failed) = (0, 0, 0)
        for _ in 0..<4000 {
            var bytes = Array(Self.full.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 20)], at: index)
                }
            }
            do throws(ContentError) {
                let manifest = try Manifest(json: bytes)
                read += 1
                if try Manifest(json: try manifest.json()) != manifest { failed += 1 }
            } catch {
                refused += 1
            }
        }
        #expect(failed == 0)
        #expect(read > 100)
        #expect(refused > 100)
    }
}
