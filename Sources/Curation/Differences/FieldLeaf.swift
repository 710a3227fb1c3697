/// One value of a document, to be compared with the value of another version.
struct FieldLeaf {
    /// The key is the same in both versions. It contains the ids of contents and pictures, so that moving one does not
    /// change all of its fields.
    var key: String
    /// The key of the content or picture that this value belongs to. If that is new or removed, this value is not
    /// reported.
    var owner: String?
    var change: FieldChange
    /// Distinguishes pages with the same words but another format.
    var page: PageText?

    var value: FieldValue? { change.after }
}

/// Lists a document's values.
struct FieldLeaves {
    private(set) var all: [FieldLeaf] = []
    /// The prefix of the next keys.
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

    /// Adds a content or a picture, which can be added, removed and moved as one, and then its values.
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
