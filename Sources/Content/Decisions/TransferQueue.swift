package import SiteFormat

/// Decides which asset is fetched next. Those of the wanted beacon come first, several at a time. The others follow by
/// rank, one at a time while assets of the wanted beacon are being fetched. Pure; the caller starts the transfers.
package struct TransferQueue: Sendable {
    /// How many transfers run at the same time.
    package var parallel: Int
    package private(set) var waiting: [AssetHash] = []
    package private(set) var running: Set<AssetHash> = []

    /// Whether the limit of parallel transfers is reached. Urgent assets may still start.
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

    /// The next asset to start; nil while enough are running.
    ///
    /// - Parameter rank: 0 for what the wanted beacon needs, and a higher number for what can wait longer. It is called
    ///   each time, because ranks change.
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
