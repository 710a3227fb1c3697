import ContentServer
import CuratorPages
import Foundation
import TestSupport
import Testing

@Suite("The languages of the pages")
struct LanguageTests {
    @Test(
        "follow the browser's wishes",
        arguments: [
            ("de-AT,en;q=0.5", "de"), ("fr,cs;q=0.3", "cs"), ("hr", "bs"), ("sr-Latn", "bs"), ("", "en"), ("xx", "en"),
            ("de;q=0,cs", "cs"), ("en;q=0.1, de;q=0.9", "de"), (";;;,=,q=", "en"),
        ])
    func best(accepted: String, expected: String) {
        #expect(Catalogues.best(chosen: nil, accepted: accepted) == expected)
        #expect(Catalogues.best(chosen: "bs", accepted: accepted) == "bs")
        #expect(Catalogues.best(chosen: "xx", accepted: accepted) == expected)
    }

    @Test("have the same texts, with the same places for values")
    func complete() throws {
        let all = try Dictionary(
            uniqueKeysWithValues: Catalogues.tags.map { tag in
                let json = try #require(EmbeddedResources.languages["\(tag).json"])
                return (tag, try JSONDecoder().decode([String: String].self, from: Data(json)))
            })
        let english = try #require(all["en"])
        func places(_ text: String) -> Set<String> { Set(text.matches(of: /\{\d+\}/).map { String($0.output) }) }
        for (tag, texts) in all {
            #expect(Set(english.keys).subtracting(texts.keys).sorted() == [], "\(tag)")
            let wrong = texts.filter { name, text in english[name].map { places($0) != places(text) } ?? false }
            #expect(wrong.keys.sorted() == [], "\(tag)")
        }
    }

    @Test("fill places in one pass, so that a value is never taken for a place")
    func filling() throws {
        let catalogue = try Catalogue(
            language: "en", json: Array("{\"a\":\"{0} of {1} {2} {x}\"}".utf8), fallback: nil)
        #expect(catalogue.text("a", "{1}", "B") == "{1} of B {2} {x}")
        #expect(catalogue.text("unknown", "B") == "unknown")
    }

    @Test("list every file of the resources")
    func resources() throws {
        let folder = "\(Programs.project)/Sources/CuratorPages/Resources"
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
            .filter { $0.contains(".") }.map { ($0 as NSString).lastPathComponent }
        let listed =
            Array(EmbeddedResources.templates.keys) + EmbeddedResources.languages.keys + EmbeddedResources.assets.keys
        #expect(Set(files).symmetricDifference(listed).sorted() == [])
    }
}
