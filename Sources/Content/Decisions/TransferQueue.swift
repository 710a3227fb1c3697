package import SiteFormat

/// Which asset is fetched next: those of the wanted beacon first and several at a time; the others by their rank,
/// one at a time while the wanted beacon's are on their way. Pure; who calls it starts the transfers.
package struct TransferQueue: Sendable {
    /// How many run at the same time.
    package var parallel: Int
    package private(set) var waiting: [AssetHash] = []
    package private(set) var running: Set<AssetHash> = []

    /// As many run as may, as long as nothing is urgent.
    package var isFull: Bool { running.count >= parallel }

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
    /// - Parameter rank: 0 for what the wanted beacon needs, higher for what can wait longer, by what is so now.
    package mutating func next(rank: (AssetHash) -> Int) -> AssetHash? {
        var wanted: Int?
        var other: (index: Int, rank: Int)?
        for (index, asset) in waiting.enumerated() {
            let rank = rank(asset)
            if rank == 0 {
                wanted = index
                break
            }
            if rank < other?.rank ?? .max { other = (index, rank) }
        }
        let runningWanted = running.count { rank($0) == 0 }
        let index: Int
        if let wanted, runningWanted < parallel {
            index = wanted
        } else {
            let limit = wanted == nil && runningWanted == 0 ? parallel : 1
            guard let other = other ?? firstOther(rank), running.count - runningWanted < limit else { return nil }
            index = other.index
        }
        let asset = waiting.remove(at: index)
        running.insert(asset)
        return asset
    }

    private func firstOther(_ rank: (AssetHash) -> Int) -> (index: Int, rank: Int)? {
        waiting.enumerated().map { (index: $0.offset, rank: rank($0.element)) }.filter { $0.rank > 0 }
            .min { $0.rank < $1.rank }
    }
}
