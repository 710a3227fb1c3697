import Curation
import CurationStore

/// Parts that several pages of content show.
extension Editing {
    /// What the page of a document's form shows of the document, besides the form.
    func values(of stored: StoredDocument, _ view: FormView) -> [String: PageValue] {
        var values = view.page
        values["id"] = .text(stored.id.text)
        values["name"] = .text(name(of: stored.document))
        values["version"] = .text("\(stored.version)")
        values["state"] = badge(stored.state)
        values["changed"] = changed(stored)
        values["in_bin"] = stored.isDeleted ? changed(stored) : .none
        return values
    }

    /// Draft, published or changed, in words.
    func badge(_ state: StoredDocument.State) -> PageValue {
        let look =
            switch state {
            case .unpublished: "draft"
            case .published: "published"
            case .changed: "changed"
            case .removed: "removed"
            }
        return ["class": .text(look), "text": .text(texts.text("edit.state.\(state.rawValue)"))]
    }

    /// A form that came back instead of removing what it had not shown.
    func changedBeforeRemoval(_ view: FormView) -> FormView {
        var view = view
        view.notice = texts.text("edit.changed_before_removal")
        return view
    }

    /// Who saved it last, and when.
    func changed(_ stored: StoredDocument) -> PageValue {
        ["by": .text(stored.changedBy), "at": .text(stored.changedAt.description)]
    }

    /// Links to the other pages of a list; none if there is only one.
    func pager(_ total: Int, _ offset: Int, _ size: Int) -> PageValue {
        let others = query.filter { !["offset", "done", "undo"].contains($0.key) }.sorted { $0.key < $1.key }
        let text = others.map { "\(QueryText.encoded($0.key))=\(QueryText.encoded($0.value))&" }
        let path = "\(context.path)?\(text.joined())"
        return PageWindow(path: path, offset: offset, rows: size, total: total, parameter: "offset").value(texts)
    }

    /// The document as the form showed it at first; nil if that version is not kept any more.
    func base(of stored: StoredDocument) async throws -> Document? {
        guard let version, version != stored.version else { return stored.document }
        return try await store.keptVersion(of: stored.id, version)
    }
}

extension CurationStore {
    /// A version that somebody has seen; nil if it is not kept any more.
    func keptVersion(of id: DocumentID, _ number: Int64) async throws(StoreError) -> Document? {
        do throws(StoreError) {
            return try await version(of: id, number)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}

extension FormView {
    /// Shows what another editor has saved meanwhile beside what was typed here.
    mutating func merge(_ mine: FormValues, base: FormValues, current: FormValues) {
        let merge = FormMerge(mine: mine, base: base, current: current)
        values = merge.values
        others = merge.others
    }
}
