import Curation
import CurationStore

/// All beacons by name, for the lists in which one of them is chosen.
struct BeaconChoices: Sendable {
    /// Sorted by name. The name is empty where there is none in any language.
    let beacons: [(id: DocumentID, name: String)]
    /// How many more there are.
    let unlisted: Int

    /// More than these cannot be chosen from a list.
    static let most = 5000

    fileprivate init(_ services: CuratorServices) async throws {
        let languages = try await services.siteLanguages()
        let found = try await services.store.documents(.beacon, DocumentQuery(limit: Self.most))
        beacons = found.documents.map { ($0.id, $0.document.name(in: languages)) }
        unlisted = found.total - beacons.count
    }
}

extension CuratorServices {
    func beaconChoices() async throws -> BeaconChoices {
        try await keptBeaconChoices.value(of: store) { try await BeaconChoices(self) }
    }
}

extension Editing {
    /// Value and text of each beacon, and how many are left out.
    func beaconChoices() async throws -> (listed: [(String, String)], unlisted: Int) {
        let nameless = texts.text("edit.nameless.beacon")
        let choices = try await services.beaconChoices()
        return (choices.beacons.map { ($0.id.text, $0.name.isEmpty ? nameless : $0.name) }, choices.unlisted)
    }

    /// Choices with what is chosen already, if it is not among them: because it lies in the bin, or because there are
    /// too many. A form without it would say that nothing is chosen, and saving it would lose the choice.
    ///
    /// - Parameter kind: of what is chosen from.
    func choices(
        _ found: [(String, String)], with chosen: String?, _ kind: Document.Kind
    ) async throws -> [(String, String)] {
        guard let chosen, let id = DocumentID(chosen), !found.contains(where: { $0.0 == chosen }) else { return found }
        let stored = try await store.documents([id])[id]
        return found + [(chosen, stored.map { name(of: $0.document) } ?? texts.text("edit.nameless.\(kind.rawValue)"))]
    }
}
