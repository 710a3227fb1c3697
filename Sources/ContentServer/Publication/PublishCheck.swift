package import Curation
package import CurationStore
import Platform

/// What publishing would change, and what the gate says of it.
package struct PublishCheck: Sendable {
    /// What is not as it is published.
    package var pending: [PendingChange]
    /// The whole site as it would be published.
    package var documents: [DocumentID: Document]
    /// Findings in what would change, and in the site as a whole. What was published before is not held up.
    package var findings: [GateFinding]

    /// Those that stand in the way.
    package var refusals: [GateFinding] { findings.filter { $0.level == .refuse } }

    /// - Parameter selection: only these would be published; nil: everything.
    package init(_ store: CurationStore, _ selection: Set<DocumentID>? = nil) async throws {
        pending = try await store.pending()
        documents = try await store.drafts(selection)
        var changed = Set(pending.map(\.id)).intersection(selection ?? Set(pending.map(\.id))).union([.site])
        // What uses something that leaves is changed by that.
        let removed = Set(pending.filter { $0.what == .removed }.map(\.id)).intersection(changed)
        changed.formUnion(documents.filter { $0.value.references.contains { removed.contains($0.id) } }.keys)
        let (site, looked) = (documents, changed)
        // Links, likeness and sizes of thousands of documents take longer than a millisecond.
        findings = try await OwnThread.run { Gate.findings(site: site) }.filter { looked.contains($0.document) }
    }
}

extension CuratorServices {
    /// What publishing everything would change.
    func checkOfAllDrafts() async throws -> PublishCheck {
        try await publishCheck.value(of: store) { try await PublishCheck(store) }
    }
}
