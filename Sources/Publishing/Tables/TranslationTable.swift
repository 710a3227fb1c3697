package import Curation

/// All texts that visitors read, as a table for translators: one text per line, with a column for each language.
package enum TranslationTable {
    static let fixed = ["id", "kind", "name", "field"]

    package static func table(_ documents: [DocumentID: Document], languages: [Language]) -> CSVTable {
        var table = CSVTable(columns: fixed + languages.map(\.tag))
        for (id, document) in documents.sorted(by: {
            ($0.value.kind.rawValue, $0.key) < ($1.value.kind.rawValue, $1.key)
        }) {
            for field in document.translatable {
                // A text that is empty in every language needs no translation.
                guard !field.text.tidied.isEmpty else { continue }
                let head = [id.text, document.kind.rawValue, document.name(in: languages), field.field]
                table.rows.append(.init(fields: head + languages.map { field.text[$0] ?? "" }))
            }
        }
        return table
    }

    /// The changes that an import would make. Only languages with a column change. An empty field removes the
    /// translation.
    package static func plan(_ table: CSVTable, documents: [DocumentID: Document]) -> TablePlan {
        var plan = TablePlan()
        var languages: [Language] = []
        for column in table.columns where !fixed.contains(column) {
            if let language = Language(column) {
                languages.append(language)
            } else {
                plan.mistakes.append(.init(1, column, Problem(.languageColumn)))
            }
        }
        for column in ["id", "field"] where !table.columns.contains(column) {
            plan.mistakes.append(.init(1, column, Problem(.keyColumnMissing)))
        }
        guard plan.mistakes.isEmpty else { return plan }
        var current = documents
        var seen: [String: Int] = [:]
        let check = DocumentCheck(site: documents[.site]?.site ?? SiteDocument())
        for row in table.rows {
            let field = table.field(row, "field")
            guard let id = DocumentID(table.field(row, "id")), let before = current[id] else {
                plan.mistakes.append(.init(row.line, "id", Problem(.noSuchDocument)))
                continue
            }
            guard var text = before.translatable.first(where: { $0.field == field })?.text else {
                plan.mistakes.append(.init(row.line, "field", Problem(.noSuchText)))
                continue
            }
            if let line = seen.updateValue(row.line, forKey: "\(id)/\(field)") {
                plan.mistakes.append(.init(row.line, "field", Problem(.lineRepeated, "\(line)")))
                continue
            }
            for language in languages {
                let value = table.field(row, language.tag)
                text[language] = value.isEmpty ? nil : value
            }
            let after = before.setting(field, to: text).tidied
            let mistakes = check.mistakes(in: after).filter { $0.field == field || $0.field.hasPrefix("\(field).") }
            plan.mistakes += mistakes.map { .init(row.line, $0.field, $0.problem) }
            if after == before.tidied {
                plan.unchanged += 1
            } else if mistakes.isEmpty {
                plan.changes.append(.init(line: row.line, id: id, before: before, after: after))
                current[id] = after
            }
        }
        return plan
    }
}

extension Document {
    /// Every text for translators. The bodies of pages are left out: they are translated in the editor.
    var translatable: [(field: String, text: LocalizedText)] {
        texts.map { ($0.field, $0.text) }
            + pictures.filter { !$0.use.isDecorative && !$0.field.hasPrefix("page.") }
            .map { ("\($0.field).alt", $0.use.alt) }
    }

    /// The same document with a new text in one of these fields.
    func setting(_ field: String, to text: LocalizedText) -> Document {
        let parts = field.split(separator: ".").map(String.init)
        switch self {
        case .beacon(var body):
            if parts == ["name"] { body.name = text }
            return .beacon(body)
        case .plan(var body):
            if parts == ["name"] { body.name = text }
            return .plan(body)
        case .image(var body):
            body.set(parts, to: text)
            return .image(body)
        case .media, .site: return self
        }
    }
}

extension ImageDocument {
    fileprivate mutating func set(_ path: [String], to text: LocalizedText) {
        switch path.first {
        case "title": title = text
        case "transcript": transcript = text
        case "picture": picture?.alt = text
        case "page": page?.title = text
        case "contents":
            guard path.count >= 3, let side = ContentItem.Side(rawValue: path[1]),
                let index = contents.firstIndex(where: { $0.side == side })
            else { return }
            contents[index].set(Array(path.dropFirst(2)), to: text)
        default: break
        }
    }
}

extension ContentItem {
    fileprivate mutating func set(_ path: [String], to text: LocalizedText) {
        switch path {
        case ["label"]: label = text
        case ["action", "name"]: action?.name = text
        case ["action", "description"]: action?.description = text
        case ["action", "overlay_text"]: action?.overlayText = text
        default:
            guard path.count == 3, path[0] == "pictures", path[2] == "alt", let index = Int(path[1]),
                pictures.indices.contains(index)
            else { return }
            pictures[index].alt = text
        }
    }
}
