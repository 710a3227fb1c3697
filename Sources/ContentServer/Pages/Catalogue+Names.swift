import Curation
import CurationStore

extension Catalogue {
    /// What a document is called on pages; says so if it has no name yet.
    func name(of document: Document, _ languages: [Language]) -> String {
        if document.kind == .site { return text("kind.site") }
        let name = document.name(in: languages)
        return name.isEmpty ? text("common.nameless") : name
    }
}

extension CuratorServices {
    /// The languages in which names are looked for, the default first.
    func siteLanguages() async throws -> [Language] {
        try await store.site().document.site?.languages ?? [.english]
    }
}
