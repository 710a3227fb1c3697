/// One value of a document, for comparing it with the same one of another version.
struct FieldLeaf {
    /// The same in both versions. Contents and pictures have their own names in it, so that moving is no change of all
    /// their fields.
    var key: String
    /// The key of a content or a picture that this value belongs to: not told apart where that is new or gone.
    var owner: String?
    var change: FieldChange
    /// Tells apart what has the same words.
    var page: PageText?

    var value: FieldValue? { change.after }
}

/// Lists a document's values.
struct FieldLeaves {
    private(set) var all: [FieldLeaf] = []
    /// What the next values belong to.
    private var prefix = ""
    private var field = ""
    private var owner: String?
    private var side: ContentItem.Side?

    mutating func add(
        _ name: String, _ label: FieldLabel, _ value: FieldValue?, language: Language? = nil, page: PageText? = nil
    ) {
        guard let value else { return }
        let change = FieldChange(
            field: joined(field, name), label: label, language: language, side: side, before: nil, after: value)
        all.append(FieldLeaf(key: joined(prefix, name), owner: owner, change: change, page: page))
    }

    mutating func text(_ name: String, _ label: FieldLabel, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        add(name, label, .text(text))
    }

    mutating func texts(_ name: String, _ label: FieldLabel, _ text: LocalizedText) {
        for (language, value) in text.values.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            add("\(name).\(language)", label, .text(value), language: language)
        }
    }

    mutating func files(_ name: String, _ label: FieldLabel, _ ids: Localized<DocumentID>) {
        for (language, id) in ids.values.sorted(by: { $0.key < $1.key }) {
            add("\(name).\(language)", label, .document(id), language: language)
        }
    }

    mutating func number(_ name: String, _ label: FieldLabel, _ value: (some BinaryInteger)?) {
        add(name, label, value.map { .text("\($0)") })
    }

    mutating func decimal(_ name: String, _ label: FieldLabel, _ value: Double?) {
        add(name, label, value.map { .text(FieldText.text($0)) })
    }

    mutating func flag(_ name: String, _ label: FieldLabel, _ value: Bool) {
        if value { add(name, label, .choice("yes")) }
    }

    /// A content or a picture, which is one thing that can be added, removed and moved, and its values.
    mutating func part(
        _ key: String, field: String, side: ContentItem.Side? = nil, _ label: FieldLabel, _ value: FieldValue,
        isOwner: Bool = true, _ body: (inout FieldLeaves) -> Void
    ) {
        let outer = (prefix, self.field, owner, self.side)
        self.side = side ?? self.side
        self.field = joined(self.field, field)
        prefix = joined(prefix, key)
        add("", label, value)
        if isOwner { owner = prefix }
        body(&self)
        (prefix, self.field, owner, self.side) = outer
    }

    private func joined(_ path: String, _ name: String) -> String {
        path.isEmpty || name.isEmpty ? path + name : "\(path).\(name)"
    }
}
