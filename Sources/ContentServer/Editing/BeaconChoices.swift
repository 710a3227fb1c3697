import Curation
import CurationStore

/// All beacons by name, for the lists in which one of them is chosen.
struct BeaconChoices: Sendable {
    /// Sorted by name. The name is empty where there is none in any language.
    private(set) var beacons: [(id: DocumentID, name: String)] = []

    /// More than these cannot be chosen from a list.
    static let most = 5000

    init(_ store: CurationStore) async throws {
        let languages = try await store.site().document.site?.languages ?? []
        let found = try await store.documents(.beacon, DocumentQuery(limit: Self.most)).documents
        beacons = found.map { ($0.id, $0.document.name(in: languages)) }
    }
}

extension Editing {
    /// Value and text of each beacon.
    func beaconChoices() async throws -> [(String, String)] {
        let choices = try await services.beaconChoices.value(of: store) { try await BeaconChoices(store) }
        let nameless = texts.text("edit.nameless.beacon")
        return choices.beacons.map { ($0.id.text, $0.name.isEmpty ? nameless : $0.name) }
    }
}
