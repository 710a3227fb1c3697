/// Counts how often each whole number occurred. Holds one count for each number from the lowest to the highest, so it
/// is small for values that vary little, such as levels in dBm or distance bins.
package struct Histogram: Sendable, Hashable {
    /// The lowest number with a count; meaningless in an empty histogram.
    package internal(set) var lowest = 0
    /// The first is the count of `lowest`. Neither the first nor the last is 0.
    package internal(set) var counts: [UInt32] = []

    /// Numbers outside of this range are counted at its ends.
    package static let range = -1024...1023

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    /// The sum of all counts.
    package var total: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Counts a number. A count that reaches its greatest value stays there.
    package mutating func add(_ number: Int, count: UInt32 = 1) {
        guard count > 0 else { return }
        let number = min(max(number, Self.range.lowerBound), Self.range.upperBound)
        if counts.isEmpty {
            lowest = number
            counts = [count]
            return
        }
        if number < lowest {
            counts.insert(contentsOf: repeatElement(0, count: lowest - number), at: 0)
            lowest = number
        } else if number >= lowest + counts.count {
            counts.append(contentsOf: repeatElement(0, count: number - lowest - counts.count + 1))
        }
        let (sum, overflow) = counts[number - lowest].addingReportingOverflow(count)
        counts[number - lowest] = overflow ? .max : sum
    }

    /// Adds the counts of another histogram.
    package mutating func merge(_ other: Histogram) {
        guard let last = other.counts.indices.last else { return }
        guard !isEmpty else {
            self = other
            return
        }
        // Adding the first and the last count first makes room at both ends.
        add(other.lowest, count: other.counts[0])
        if last > 0 { add(other.lowest + last, count: other.counts[last]) }
        let shift = other.lowest - lowest
        for offset in 1..<max(1, last) {
            let (sum, overflow) = counts[shift + offset].addingReportingOverflow(other.counts[offset])
            counts[shift + offset] = overflow ? .max : sum
        }
    }

    /// The smallest number that at least this share of all numbers does not exceed; nil in an empty histogram.
    package func quantile(_ share: Double) -> Int? {
        let total = total
        guard total > 0 else { return nil }
        let rank = min(max((share * Double(total)).rounded(.up), 1), Double(total))
        var seen = 0
        for (offset, count) in counts.enumerated() {
            seen += Int(count)
            if Double(seen) >= rank { return lowest + offset }
        }
        return lowest + counts.count - 1
    }
}
