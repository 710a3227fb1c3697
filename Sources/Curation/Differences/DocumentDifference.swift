/// The differences between two versions of a document.
package enum DocumentDifference {
    /// The fields that differ, in the order of the document; removed fields come last.
    ///
    /// - Parameters:
    ///   - before: nil for a new document.
    ///   - after: nil for a deleted one.
    package static func between(_ before: Document?, _ after: Document?) -> [FieldChange] {
        let old = before.map { FieldLeaves($0).all } ?? []
        let new = after.map { FieldLeaves($0).all } ?? []
        let oldByKey = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
        let newByKey = Dictionary(new.map { ($0.key, $0) }) { first, _ in first }
        var changes: [FieldChange] = []
        for leaf in new {
            guard let former = oldByKey[leaf.key] else {
                if isTold(leaf, in: oldByKey) { changes.append(leaf.change) }
                continue
            }
            guard former.value != leaf.value || former.page != leaf.page else { continue }
            var change = leaf.change
            change.before = former.value
            changes.append(change)
        }
        for leaf in old where newByKey[leaf.key] == nil && isTold(leaf, in: newByKey) {
            var change = leaf.change
            (change.before, change.after) = (change.after, nil)
            changes.append(change)
        }
        return changes + orders(before, after)
    }

    /// Whether a value is reported. The single values of a new or removed content are not.
    private static func isTold(_ leaf: FieldLeaf, in other: [String: FieldLeaf]) -> Bool {
        guard let owner = leaf.owner else { return true }
        return other[owner] != nil
    }

    /// Galleries whose pictures are in another order.
    private static func orders(_ before: Document?, _ after: Document?) -> [FieldChange] {
        let former = Dictionary((before?.image?.contents ?? []).map { ($0.id, $0) }) { first, _ in first }
        return (after?.image?.contents ?? []).compactMap { content in
            guard content.kind == .gallery, let old = former[content.id], old.kind == .gallery else { return nil }
            let both = Set(old.pictures.map(\.media)).intersection(content.pictures.map(\.media))
            let was = old.pictures.map(\.media).filter(both.contains)
            let now = content.pictures.map(\.media).filter(both.contains)
            guard was.count == now.count, was != now,
                let first = zip(was, now).first(where: { $0 != $1 })
            else { return nil }
            return FieldChange(
                field: "\(content.field).pictures", label: .pictureOrder, language: nil, side: content.side,
                before: .document(first.0), after: .document(first.1))
        }
    }
}
