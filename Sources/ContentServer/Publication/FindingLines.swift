import Curation

/// What the gate says, in words. Findings that are alike are one line with links to their places.
struct FindingLines {
    let documents: [DocumentID: Document]
    let languages: [Language]
    let texts: Catalogue

    /// So many places of a line are linked; the others are counted.
    static let mostPlaces = 6

    /// What makes findings alike.
    private struct Kind: Hashable {
        var level: GateLevel
        var problem: Problem
        /// Of a problem that says nothing without its field.
        var field: FieldLabel?

        init(_ finding: GateFinding) {
            level = finding.level
            problem = finding.problem
            field = problem.code == .missing ? FieldLabel.find(finding.field)?.label : nil
        }
    }

    /// Of one document: each line leads to its fields.
    func ofDocument(_ findings: [GateFinding]) -> PageValue {
        lines(Self.alike(findings)) { alike in
            alike.map { (href: path(of: $0), label: alike.count == 1 ? texts.text("publish.fix") : place($0)) }
        }
    }

    /// Of the site: each line leads to the documents.
    func ofSite(_ findings: [GateFinding]) -> PageValue {
        lines(Self.alike(findings)) { alike in
            var seen: Set<DocumentID> = []
            return alike.filter { seen.insert($0.document).inserted }
                .map { (href: path(of: $0), label: name(of: $0.document)) }
        }
    }

    /// Findings that are alike and in more than one document.
    static func inSeveralDocuments(_ findings: [GateFinding]) -> Set<GateFinding> {
        Set(alike(findings).filter { Set($0.map(\.document)).count > 1 }.flatMap { $0 })
    }

    // MARK: - Parts

    /// Groups in the order of their first findings.
    private static func alike(_ findings: [GateFinding]) -> [[GateFinding]] {
        var groups: [[GateFinding]] = []
        var known: [Kind: Int] = [:]
        for finding in findings {
            let kind = Kind(finding)
            if let index = known[kind] {
                groups[index].append(finding)
            } else {
                known[kind] = groups.count
                groups.append([finding])
            }
        }
        return groups
    }

    private func lines(
        _ groups: [[GateFinding]], places: ([GateFinding]) -> [(href: String, label: String)]
    ) -> PageValue {
        [
            "any": .flag(!groups.isEmpty),
            "list": .list(
                groups.map { alike -> PageValue in
                    // Several pictures of a page have one address.
                    var seen: Set<String> = []
                    let all = places(alike).filter { seen.insert("\($0.href) \($0.label)").inserted }
                    let rest = all.count - Self.mostPlaces
                    return [
                        "level": .text(texts.text("publish.\(alike[0].level == .refuse ? "refuse" : "warn")")),
                        "tone": .text(alike[0].level == .refuse ? "bad" : "warn"),
                        "message": .text(message(of: alike)),
                        "places": .list(
                            all.prefix(Self.mostPlaces).enumerated().map { index, place in
                                ["href": .text(place.href), "label": .text(place.label), "follows": .flag(index > 0)]
                            }),
                        "isSeveral": .flag(alike.count > 1),
                        "more": rest > 0 ? .text(texts.plural("publish.more", rest)) : .none,
                    ]
                }),
        ]
    }

    private func message(of alike: [GateFinding]) -> String {
        let problem = alike[0].problem
        guard alike.count > 1 else { return label(of: alike[0], hasSide: true) + texts.text(problem) }
        if problem.code == .altMissing { return texts.plural("publish.alt_missing", alike.count) }
        let what = problem.code == .missing ? label(of: alike[0], hasSide: false) : ""
        return texts.text("publish.several", "\(alike.count)", what + texts.text(problem))
    }

    /// `left: alternative text: `; empty where the finding is about the whole document.
    private func label(of finding: GateFinding, hasSide: Bool) -> String {
        guard let (label, side) = FieldLabel.find(finding.field) else { return "" }
        let words = texts.text("field.\(label.rawValue)") + ": "
        return hasSide ? sideWords(side) + words : words
    }

    /// `left: picture 3`.
    private func place(_ finding: GateFinding) -> String {
        guard let (label, side) = FieldLabel.find(finding.field) else { return texts.text("publish.fix") }
        let parts = finding.field.split(separator: ".")
        if let at = parts.firstIndex(of: "pictures"), at + 1 < parts.count, let number = Int(parts[at + 1]) {
            return sideWords(side) + texts.text("field.picture") + " \(number + 1)"
        }
        return sideWords(side) + texts.text(label == .alt ? "field.picture" : "field.\(label.rawValue)")
    }

    private func sideWords(_ side: ContentItem.Side?) -> String {
        side.map { texts.text("choice.\($0.rawValue)") + ": " } ?? ""
    }

    private func name(of id: DocumentID) -> String {
        documents[id].map { texts.name(of: $0, languages) } ?? texts.text("kind.site")
    }

    private func path(of finding: GateFinding) -> String {
        DocumentLink.path(documents[finding.document]?.kind ?? .site, finding.document)
            + DocumentLink.fragment(finding.field)
    }
}
