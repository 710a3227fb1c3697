package import Beacon
import SiteFormat

// A site without a list has no other place where names are before it answers.
extension ContentSync {
    /// Reads the names in the stored manifests of a site without a list; there are none where it has one. Downloads get
    /// the disk between the portions.
    ///
    /// - Parameter take: gets the names of each portion.
    package func storedNames(_ take: @Sendable ([BeaconID: String]) -> Void) async {
        let beacons = await writer.beaconsWithoutList()
        for start in stride(from: 0, to: beacons.count, by: 64) {
            guard !scheduler.isClosed, !Task.isCancelled else { return }
            take(await writer.names(of: beacons[start..<min(start + 64, beacons.count)]))
        }
    }
}

extension StoreWriter {
    /// As many as a list may have: more names are not kept.
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
