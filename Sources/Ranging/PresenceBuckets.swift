import Beacon

/// Where time is cut into buckets: a fixed number of them, which double their width when time outgrows them, at
/// either end. 128 bits hold any span of 64-bit times without a thought of overflow.
struct BucketScale {
    static let count = 120

    private(set) var start: Int128
    /// Microseconds.
    private(set) var width: Int128 = 1_000_000

    init(first: Timestamp) {
        start = Int128(first.microseconds)
    }

    /// The bucket of `time`; nil where it lies outside.
    func bucket(of time: Timestamp) -> Int? {
        let index = (Int128(time.microseconds) - start) / width
        return Int128(time.microseconds) >= start && index < Int128(Self.count) ? Int(index) : nil
    }

    /// Doubles the width, once, towards `time`. True where the old buckets are now the later half.
    mutating func grow(towards time: Timestamp) -> Bool {
        let isEarlier = Int128(time.microseconds) < start
        if isEarlier {
            start -= width * Int128(Self.count)
        }
        width *= 2
        return isEarlier
    }

    /// The beginning as a time. Buckets may begin before the first time that can be written.
    var startTime: Timestamp {
        Timestamp(microseconds: Int64(clamping: start))
    }

    var seconds: Double { Double(width) / 1_000_000 }
}

extension Array<UInt32> {
    /// Folds two buckets into one after the scale has grown.
    mutating func foldBuckets(intoLaterHalf isLater: Bool) {
        let old = self
        let half = count / 2
        for index in indices {
            self[index] = 0
        }
        for index in 0..<half {
            let (sum, overflow) = old[2 * index].addingReportingOverflow(old[2 * index + 1])
            self[isLater ? half + index : index] = overflow ? .max : sum
        }
    }

    /// Counts one more, and stays at the greatest number.
    mutating func increment(_ index: Int) {
        let (sum, overflow) = self[index].addingReportingOverflow(1)
        self[index] = overflow ? .max : sum
    }
}
