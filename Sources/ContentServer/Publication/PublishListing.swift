import Curation
import CurationStore

/// What would be published, in words, with findings beside it.
struct PublishListing {
    var check: PublishCheck
    /// What was chosen in the form; nil: everything that the gate lets through.
    var selected: Set<DocumentID>?
    var texts: Catalogue
    var words: ChangeWords
    private let findings: [DocumentID: [GateFinding]]
    private let lines: FindingLines

    init(check: PublishCheck, selected: Set<DocumentID>?, texts: Catalogue, words: ChangeWords) {
        self.check = check
        self.selected = selected
        self.texts = texts
        self.words = words
        findings = Dictionary(grouping: check.findings, by: \.document)
        lines = FindingLines(
            documents: check.documents, languages: check.documents[.site]?.site?.languages ?? [.english], texts: texts)
    }

    /// The most changes that are listed, and those whose words are looked up.
    static let mostChanges = 1000
    static let mostWords = 100

    private var languages: [Language] { check.documents[.site]?.site?.languages ?? [.english] }

    var warnings: Int { check.findings.count - check.refusals.count }

    /// By kind: `title`, `isOpen`, `items`.
    func groups() async throws -> [PageValue] {
        let refused = Set(check.refusals.map(\.document))
        var items: [Document.Kind: [PageValue]] = [:]
        for (index, change) in check.pending.prefix(Self.mostChanges).enumerated() {
            let isSelected = selected?.contains(change.id) ?? !refused.contains(change.id)
            items[change.kind, default: []].append(
                try await item(change, isSelected: isSelected, hasWords: index < Self.mostWords))
        }
        return [Document.Kind.site, .beacon, .image, .plan, .media].compactMap { kind in
            guard let list = items[kind] else { return nil }
            return [
                "title": .text(texts.text("publish.kind.\(kind.rawValue)")), "count": .text("\(list.count)"),
                // Files follow what uses them: nobody has to look at them one by one.
                "isOpen": .flag(kind != .media), "items": .list(list), "kind": .text(kind.rawValue),
            ]
        }
    }

    private func item(_ change: PendingChange, isSelected: Bool, hasWords: Bool) async throws -> PageValue {
        let document = check.documents[change.id]
        let name = document.map { texts.name(of: $0, languages) } ?? change.name
        var differences: PageValue = ["any": false]
        if hasWords, change.what == .changed {
            differences = try await words.words(of: change.id, change.kind, from: change.before, to: change.after)
        }
        return [
            "id": .text(change.id.text),
            "name": .text(name.isEmpty ? texts.text("common.nameless") : name),
            "beacon": .text(document?.image.map { beacon(of: $0) } ?? ""),
            "href": change.what == .removed ? .text("/bin") : .text(DocumentLink.path(change.kind, change.id)),
            "what": .text(texts.text("publish.\(change.what.rawValue)")), "tone": .text(tone(change.what)),
            "by": .text(change.changedBy), "at": .moment(change.changedAt),
            "isSelected": .flag(isSelected), "words": differences,
            "findings": change.id == .site ? ["any": false] : lines.ofDocument(findings[change.id] ?? []),
        ]
    }

    private func beacon(of image: ImageDocument) -> String {
        image.beacon.flatMap { check.documents[$0] }.map { texts.name(of: $0, languages) } ?? ""
    }

    private func tone(_ what: PendingChange.What) -> String {
        switch what {
        case .added: "good"
        case .changed: "changed"
        case .removed: "removed"
        }
    }

    /// What the gate says of the site, of documents that are not listed, and of several documents alike.
    var siteFindings: PageValue {
        let listed = Set(check.pending.map(\.id)).subtracting([.site])
        let several = FindingLines.inSeveralDocuments(check.findings)
        return lines.ofSite(check.findings.filter { several.contains($0) || !listed.contains($0.document) })
    }
}
