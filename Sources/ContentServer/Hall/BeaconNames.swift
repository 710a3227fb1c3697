import Beacon
import Curation
import CurationStore

/// What beacons are called that devices report, by their identities.
struct BeaconNames: Sendable {
    private var names: [BeaconID: String] = [:]

    /// More identities than that are shown as numbers: whoever reports may name any.
    static let most = 500

    /// Of which beacons there are; the others are named by their numbers.
    init(_ ids: some Sequence<BeaconID>, _ services: CuratorServices, _ texts: Catalogue) async throws {
        let languages = try await services.siteLanguages()
        for id in Set(ids).prefix(Self.most) {
            guard let stored = try await services.store.beacon(id) else { continue }
            names[id] = texts.name(of: stored.document, languages)
        }
    }

    subscript(id: BeaconID) -> String {
        names[id] ?? "\(id.uuid)".prefix(8) + "… \(id.major).\(id.minor)"
    }
}
