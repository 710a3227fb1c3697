import Beacon

/// The level filters of one beacon, one for each receiver. Nearly all beacons have one receiver, so only the first
/// filter is stored inline.
struct FilterSet {
    /// The maximum number of receivers. One more replaces the one that has been silent for longest.
    static let limit = 4

    private var first = LevelFilter()
    private var others: [LevelFilter] = []
    private(set) var count = 0

    subscript(index: Int) -> LevelFilter {
        _read {
            if index == 0 { yield first } else { yield others[index - 1] }
        }
        _modify {
            if index == 0 { yield &first } else { yield &others[index - 1] }
        }
    }

    var indices: Range<Int> { 0..<count }

    /// Forgets all receivers.
    mutating func removeAll() {
        count = 0
        others = []
    }

    /// The index of a receiver's filter, which is created if there is none.
    mutating func index(of source: SourceID) -> Int {
        var stalest = 0
        for index in indices {
            if self[index].source == source { return index }
            if let latest = self[index].latest, let oldest = self[stalest].latest, latest < oldest {
                stalest = index
            }
        }
        if count < Self.limit {
            stalest = count
            count += 1
            if stalest > 0 {
                others.append(LevelFilter())
            }
        }
        self[stalest].reset(for: source)
        return stalest
    }
}
