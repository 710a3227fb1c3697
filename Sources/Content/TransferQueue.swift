/// Which asset is fetched next: those of the wanted beacon first and several at a time, those of former beacons
/// one at a time. Pure; who calls it starts the transfers.
package struct TransferQueue: Sendable {
    /// How many run at the same time for the wanted beacon.
    package var parallel: Int
    package private(set) var waiting: [AssetHash] = []
    package private(set) var running: Set<AssetHash> = []

    package init(parallel: Int) {
        self.parallel = max(parallel, 1)
    }

    package mutating func add(_ asset: AssetHash) {
        if !waiting.contains(asset), !running.contains(asset) { waiting.append(asset) }
    }

    package mutating func finish(_ asset: AssetHash) {
        running.remove(asset)
        waiting.removeAll { $0 == asset }
    }

    /// The next to start, or nil while enough are running.
    ///
    /// - Parameter isWanted: whether the wanted beacon needs the asset, by what is wanted now.
    package mutating func next(isWanted: (AssetHash) -> Bool) -> AssetHash? {
        let runningWanted = running.count(where: isWanted)
        let index =
            if runningWanted < parallel, let wanted = waiting.firstIndex(where: isWanted) {
                wanted
            } else if running.count == runningWanted, let former = waiting.firstIndex(where: { !isWanted($0) }) {
                former
            } else {
                waiting.endIndex
            }
        guard index < waiting.endIndex else { return nil }
        let asset = waiting.remove(at: index)
        running.insert(asset)
        return asset
    }
}
