internal import DequeModule
package import SiteFormat

/// Decides which asset is fetched next. Those of the wanted beacon come first, several at a time. The others follow by
/// rank, one at a time while assets of the wanted beacon are being fetched. Pure; the caller starts the transfers.
///
/// A hostile site can make hundreds of thousands wait, so nothing looks at all of them for each asset.
package struct TransferQueue: Sendable {
    /// A place in the order in which assets came. One that is added again has another number.
    private struct Place: Sendable {
        var asset: AssetHash
        var number: Int
    }

    /// How many transfers run at the same time.
    package var parallel: Int
    package private(set) var running: Set<AssetHash> = []

    /// The waiting assets, with the numbers of their places.
    private var numbers: [AssetHash: Int] = [:]
    private var nextNumber = 0
    /// All places in order, also of assets that do not wait any more.
    private var order: [Place] = []
    /// How many of `order` are in `lines`; nil if all ranks have to be asked for again.
    private var ranked: Int?
    /// The places of each rank. Those whose asset does not wait any more are skipped.
    private var lines: [Int: Deque<Place>] = [:]
    private var lastRanking: Int?

    /// Whether the limit of parallel transfers is reached. Urgent assets may still start.
    package var isFull: Bool { running.count >= parallel }
    package var waitingCount: Int { numbers.count }

    /// All waiting assets in the order in which they came.
    package var waiting: [AssetHash] { order.filter { isWaiting($0) }.map(\.asset) }

    package init(parallel: Int) {
        self.parallel = max(parallel, 1)
    }

    /// Adds an asset. If it waits already, its rank is asked for again.
    package mutating func add(_ asset: AssetHash) {
        if numbers[asset] != nil {
            ranked = nil
        } else if !running.contains(asset) {
            numbers[asset] = nextNumber
            order.append(Place(asset: asset, number: nextNumber))
            nextNumber += 1
        }
    }

    package mutating func finish(_ asset: AssetHash) {
        running.remove(asset)
        numbers[asset] = nil
    }

    /// The next asset to start; nil while enough are running.
    ///
    /// - Parameters:
    ///   - ranking: a number that changes with the ranks. While it is the same, a waiting asset is asked for its rank
    ///     once. Nil: each time.
    ///   - rank: 0 for what the wanted beacon needs, and a higher number for what can wait longer.
    package mutating func next(ranking: Int? = nil, rank: (AssetHash) -> Int) -> AssetHash? {
        if ranking == nil || ranking != lastRanking { ranked = nil }
        lastRanking = ranking
        arrange(rank)
        let runningWanted = running.count { rank($0) == 0 }
        let wanted = first(of: 0)
        let asset: AssetHash
        if let wanted, runningWanted < parallel {
            asset = wanted
        } else {
            let limit = wanted == nil && runningWanted == 0 ? parallel : 1
            guard running.count - runningWanted < limit, let other = firstOther() else { return nil }
            asset = other
        }
        numbers[asset] = nil
        running.insert(asset)
        return asset
    }

    private func isWaiting(_ place: Place) -> Bool { numbers[place.asset] == place.number }

    /// Puts the waiting assets that have no line yet into the lines of their ranks.
    private mutating func arrange(_ rank: (AssetHash) -> Int) {
        if ranked == nil { lines = [:] }
        for place in order[(ranked ?? 0)...] where isWaiting(place) {
            lines[rank(place.asset), default: []].append(place)
        }
        if order.count > 2 * numbers.count + 64 { order = order.filter { isWaiting($0) } }
        ranked = order.count
    }

    /// The first waiting asset of a rank.
    private mutating func first(of rank: Int) -> AssetHash? {
        while let place = lines[rank]?.first {
            if isWaiting(place) { return place.asset }
            lines[rank]?.removeFirst()
        }
        lines[rank] = nil
        return nil
    }

    private mutating func firstOther() -> AssetHash? {
        while let rank = lines.keys.filter({ $0 > 0 }).min() {
            if let asset = first(of: rank) { return asset }
        }
        return nil
    }
}
