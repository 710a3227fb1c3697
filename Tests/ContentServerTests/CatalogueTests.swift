import ContentServer
import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

@Suite("The pages' texts")
struct CatalogueTests {
    private static let folder = "\(Programs.project)/Sources/CuratorPages/Resources"

    /// The texts of a language from all of its files.
    private static func texts(_ language: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Languages")
        var all: [String: String] = [:]
        for name in names where name == "\(language).json" || name.hasPrefix("\(language)-") {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/Languages/\(name)"))
            all.merge(try JSONDecoder().decode([String: String].self, from: data)) { $1 }
        }
        return all
    }

    /// A name without its plural form.
    private static func stem(_ name: String) -> String {
        let form = name.split(separator: ".").last.flatMap { PluralForm(rawValue: String($0)) }
        return form == nil ? name : String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
    }

    /// The names whose last part is a plural form: those of which there is an `other`, but no longer name.
    private static func plurals(_ texts: [String: String]) -> Set<String> {
        Set(texts.keys.filter { $0.hasSuffix(".one") }.map(stem))
    }

    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{[0-9]\}/).map { String($0.output) })
    }

    @Test("are there in every language, with the same places for values", arguments: ["bs", "cs", "de"])
    func same(_ language: String) throws {
        let english = try Self.texts("en")
        let other = try Self.texts(language)
        let plurals = Self.plurals(english)
        func names(_ texts: [String: String]) -> Set<String> {
            Set(texts.keys.map { plurals.contains(Self.stem($0)) ? Self.stem($0) : $0 })
        }
        let missing = names(english).subtracting(names(other)).sorted()
        let foreign = names(other).subtracting(names(english)).sorted()
        #expect(missing == [])
        #expect(foreign == [])
        // Their details are English words: the other languages do without.
        let withoutDetails: Set = ["media.damaged", "media.personal", "media.unsupported"]
        let different = english.keys.filter { name in
            guard !withoutDetails.contains(name) else { return false }
            return other[name].map { Self.places($0) != Self.places(english[name] ?? "") } ?? false
        }
        let sorted = different.sorted()
        #expect(sorted == [])
    }

    @Test("have every plural form of their language", arguments: ["en", "bs", "cs", "de"])
    func plurals(_ language: String) throws {
        let texts = try Self.texts(language)
        let missing = Self.plurals(texts).flatMap { name in
            PluralForm.forms(of: language).map { "\(name).\($0.rawValue)" }.filter { texts[$0] == nil }
        }
        let sorted = missing.sorted()
        #expect(sorted == [])
    }

    @Test(
        "take the plural form of the language",
        arguments: [
            ("en", 1, "one"), ("en", 0, "other"), ("de", 2, "other"), ("cs", 1, "one"), ("cs", 4, "few"),
            ("cs", 5, "other"), ("cs", 22, "other"), ("bs", 1, "one"), ("bs", 21, "one"), ("bs", 11, "other"),
            ("bs", 3, "few"), ("bs", 13, "other"), ("bs", 24, "few"),
        ])
    func form(_ language: String, _ count: Int, _ form: String) {
        #expect(PluralForm(count, language: language).rawValue == form)
    }

    @Test("have the words for each problem, field, kind, state, role, scope and rule")
    func codes() throws {
        let texts = try Self.texts("en")
        var names = Problem.Code.allCases.map { "problem.\($0.rawValue)" }
        names += FieldLabel.allCases.map { "field.\($0.rawValue)" }
        names += Document.Kind.allCases.map { "kind.\($0.rawValue)" }
        names += GateRule.allCases.map { "gate.\($0.rawValue)" } + GateLevel.allCases.map { "gate.\($0.rawValue)" }
        names += StoredDocument.State.allCases.map { "state.\($0.rawValue)" }
        names += Account.Role.allCases.map { "role.\($0.rawValue)" }
        names += APIToken.Scope.allCases.map { "scope.\($0.rawValue)" }
        let missing = names.filter { texts[$0] == nil }
        #expect(missing == [])
    }

    @Test("are those that the templates name")
    func templates() throws {
        let texts = try Self.texts("en")
        var missing: [String] = []
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/Templates") {
            let template = try String(contentsOfFile: "\(Self.folder)/Templates/\(name)", encoding: .utf8)
            for match in template.matches(of: /\{\{[#^]?t\.([a-z0-9_.]+)\}\}/) {
                let key = String(match.output.1)
                count += 1
                let own = key.hasSuffix("._") ? String(key.dropLast(2)) : key
                let isBranch = texts.keys.contains { $0.hasPrefix(own + ".") }
                // A name that begins longer ones keeps its text under `_`.
                if texts[own] == nil || isBranch != key.hasSuffix("._") { missing.append("\(name): \(key)") }
            }
        }
        let sorted = missing.sorted()
        #expect(sorted == [])
        #expect(count > 100)
    }

    /// All words of the templates and of the server's code: names of texts, and beginnings such as `edit.kind.`.
    private static func words() throws -> Set<Substring> {
        var words: Set<Substring> = []
        for folder in ["\(folder)/Templates", "\(Programs.project)/Sources/ContentServer"] {
            for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? []
            where name.hasSuffix(".mustache") || name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                words.formUnion(text.split { !$0.isLetter && !$0.isNumber && !"._-".contains($0) })
            }
        }
        return words
    }

    @Test("are all used by a template or by the server")
    func used() throws {
        let words = try Self.words()
        let unused = try Self.texts("en").keys.filter { name in
            let parts = name.split(separator: ".")
            // The server makes some names of a beginning and a value.
            let beginnings = parts.indices.dropFirst().map { parts[..<$0].joined(separator: ".") + "." }
            let names = [name, "t.\(name)", "t.\(name)._", Self.stem(name)] + beginnings
            return !names.contains { words.contains($0[...]) }
        }
        let sorted = unused.sorted()
        #expect(sorted == [])
    }
}
