import Curation
import Foundation
import SiteFormat
import Testing

@Suite("Texts of problems and fields in the pages' languages")
struct TranslationTests {
    static func catalogue(_ language: String) throws -> [String: String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Sources/CuratorPages/Resources/Languages/\(language).json")
        return try decodeDocument([String: String].self, json: Array(Data(contentsOf: file)), source: language)
    }

    @Test("every problem, field and choice has a text", arguments: ["en", "bs", "cs", "de"])
    func texts(_ language: String) throws {
        let texts = try Self.catalogue(language)
        var names = Problem.Code.allCases.map { "problem.\($0.rawValue)" }
        names += FieldLabel.allCases.map { "field.\($0.rawValue)" }
        names += ContentItem.Kind.allCases.map { "choice.\($0.rawValue)" }
        names += ContentItem.Side.allCases.map { "choice.\($0.rawValue)" }
        names += ActionItem.Kind.allCases.map { "choice.\($0.rawValue)" }
        names += ImageDocument.Display.allCases.map { "choice.\($0.rawValue)" }
        #expect(names.filter { texts[$0]?.isEmpty != false } == [])
    }

    @Test("a problem has the same places for values in all languages", arguments: ["en", "bs", "cs", "de"])
    func places(_ language: String) throws {
        let texts = try Self.catalogue(language)
        func places(in text: String) -> Set<Int> { Set((0..<5).filter { text.contains("{\($0)}") }) }
        let wrong = Problem.Code.allCases.filter { code in
            places(in: texts["problem.\(code.rawValue)"] ?? "") != places(in: code.english)
        }
        #expect(wrong == [])
    }
}
