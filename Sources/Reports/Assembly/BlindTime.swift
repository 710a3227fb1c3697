import Beacon

/// The times when the scanner was blind, to look up how much of another time they cover.
struct BlindTime {
    /// In order, without overlaps.
    private var spans: [ClosedRange<Timestamp>] = []
    /// For each span, the microseconds of all earlier ones. As floating point, in which any sum fits.
    private var sums: [Double] = []

    /// - Parameter recorded: in the order of their begin. They may overlap.
    init(_ recorded: [ClosedRange<Timestamp>]) {
        for span in recorded {
            if let last = spans.last, span.lowerBound <= last.upperBound {
                spans[spans.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                spans.append(span)
            }
        }
        var sum = 0.0
        for span in spans {
            sums.append(sum)
            sum += Self.microseconds(span.lowerBound, span.upperBound)
        }
    }

    /// The seconds of a time in which the scanner was blind.
    func seconds(in span: ClosedRange<Timestamp>) -> Double {
        min(span.seconds, (microseconds(until: span.upperBound) - microseconds(until: span.lowerBound)) / 1_000_000)
    }

    private func microseconds(until time: Timestamp) -> Double {
        // The number of spans that begin earlier.
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].lowerBound < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        let last = spans[low - 1]
        return sums[low - 1] + Self.microseconds(last.lowerBound, min(time, last.upperBound))
    }

    private static func microseconds(_ begin: Timestamp, _ end: Timestamp) -> Double {
        Double(end.microseconds) - Double(begin.microseconds)
    }
}
