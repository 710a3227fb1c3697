package import Beacon
import SiteFormat

// Without a list, the stored manifests are the only source of names before the site answers.
extension ContentSync {
    /// Reads the names in the stored manifests of a site without a list. If the site has a list, there are none.
    /// Downloads can use the disk between the portions.
    ///
    /// - Parameter take: receives the names of each portion.
    package func storedNames(_ take: @Sendable ([BeaconID: String]) -> Void) async {
        let beacons = await writer.beaconsWithoutList()
        for start in stride(from: 0, to: beacons.count, by: 64) {
            guard !scheduler.isClosed, !Task.isCancelled else { return }
            take(await writer.names(of: beacons[start..<min(start + 64, beacons.count)]))
        }
    }
}

extension StoreWriter {
    /// Limited to the number of entries that a list may have: no more names are kept.
    func beaconsWithoutList() -> ArraySlice<BeaconID> {
        guard case .none = store.storedSite() else { return [] }
        return store.storedScopes().compactMap(\.beacon).prefix(ContentLimits.listEntries)
    }

    func names(of beacons: ArraySlice<BeaconID>) -> [BeaconID: String] {
        var names: [BeaconID: String] = [:]
        for beacon in beacons {
            let path = store.path(of: .beacon(beacon))
            guard let document = store.document(at: path) else { continue }
            names[beacon] = (try? Manifest(json: document.bytes, source: path))?.beacon?.name
        }
        return names
    }
}
