import Beacon
import Glibc
import Text

/// Values over time: a line through the medians, and a band around it that holds most values.
struct SeriesChart {
    /// Low, median and high for each bucket; nil if it has no values.
    let values: [(low: Double, median: Double, high: Double)?]
    let title: String
    let detail: String
    let unit: String
    let scale: SeriesScale
    let axis: TimeAxis
    /// When the first bucket begins.
    let begin: Timestamp
    let bucketSeconds: Double

    static let width = 520.0
    static let left = 44.0
    static let right = 512.0
    private static let top = 8.0
    private static let bottom = 102.0
    private static let height = 122.0

    var html: String {
        func y(_ value: Double) -> Double {
            let share = scale.share(value)
            // Weak levels are at the bottom, and so are great distances: their axis grows downwards.
            return scale.isLogarithmic
                ? Self.top + share * (Self.bottom - Self.top) : Self.bottom - share * (Self.bottom - Self.top)
        }
        var body = axis.grid(top: Self.top, bottom: Self.bottom, most: 6)
        for mark in scale.marks {
            let place = coordinate(y(mark))
            let isFine = mark < 1 && scale.isLogarithmic
            let label = isFine ? fixed(mark, digits: mark < 0.2 ? 2 : 1) : "\(Int(mark))"
            body += "<path class=\"grid\" d=\"M\(coordinate(Self.left)) \(place)H\(coordinate(Self.right))\"/>"
                + "<text class=\"axis\" x=\"\(coordinate(Self.left - 6))\" y=\"\(coordinate(y(mark) + 4))\" "
                + "text-anchor=\"end\">\(label)</text>\n"
        }
        var (band, line) = ("", "")
        for run in runs {
            let places = run.map { ($0, values[$0]) }.compactMap { index, value in value.map { (index, $0) } }
            guard let first = places.first, let last = places.last else { continue }
            // From the start of the first bucket to the end of the last, so that a single bucket is visible too.
            let xs = [x(Double(first.0))] + places.map { x(Double($0.0) + 0.5) } + [x(Double(last.0) + 1)]
            let points = [first.1] + places.map(\.1) + [last.1]
            line += path(zip(xs, points.map { y($0.median) }))
            band += path(zip(xs, points.map { y($0.high) }))
                + "L" + path(zip(xs, points.map { y($0.low) }).reversed()).dropFirst() + "z"
        }
        body += "<path class=\"band\" d=\"\(band)\"/><path class=\"line\" d=\"\(line)\"/>\n"
        body +=
            "<text class=\"axis unit\" x=\"\(coordinate(Self.left + 4))\" "
                + "y=\"\(coordinate(Self.top + 10))\">\(unit)</text>\n"
        return svg(title, detail, width: Self.width, height: Self.height, body)
    }

    private func x(_ place: Double) -> Double {
        axis.x(begin.advanced(bySeconds: place * bucketSeconds))
    }

    /// Sequences of buckets that have at most one without a value between them.
    private var runs: [[Int]] {
        var runs: [[Int]] = []
        for (index, value) in values.enumerated() where value != nil {
            if let last = runs.last?.last, index - last <= 2 {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
        }
        return runs
    }

    private func path(_ points: some Sequence<(Double, Double)>) -> String {
        var path = ""
        for (x, y) in points { path += (path.isEmpty ? "M" : "L") + coordinate(x) + " " + coordinate(y) }
        return path
    }
}

/// The vertical axis that charts share so that they can be compared.
struct SeriesScale {
    let isLogarithmic: Bool
    private let low: Double
    private let high: Double

    /// - Parameters:
    ///   - values: the values of all charts.
    ///   - least: the smallest range that the axis shows.
    init(
        _ values: [(low: Double, median: Double, high: Double)?], least: ClosedRange<Double>,
        isLogarithmic: Bool = false
    ) {
        self.isLogarithmic = isLogarithmic
        let known = values.compactMap(\.self)
        // A few extreme values, for example after the scanner was blind, must not flatten the rest. They go to the
        // edge.
        let (lows, highs) = (known.map(\.low).sorted(), known.map(\.high).sorted())
        let (first, last) = (
            lows.isEmpty ? least.lowerBound : lows[lows.count / 50],
            highs.isEmpty ? least.upperBound : highs[highs.count - 1 - highs.count / 50]
        )
        low = Self.scaled(min(least.lowerBound, first), isLogarithmic)
        high = Self.scaled(max(least.upperBound, last), isLogarithmic)
    }

    /// The position of a value on the axis, from 0 to 1.
    func share(_ value: Double) -> Double {
        min(max(0, (Self.scaled(value, isLogarithmic) - low) / max(high - low, 1e-9)), 1)
    }

    private static func scaled(_ value: Double, _ isLogarithmic: Bool) -> Double {
        isLogarithmic ? log2(max(value, 0.01)) : value
    }

    var marks: [Double] {
        guard !isLogarithmic else {
            let all = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
            let inside = all.filter { (low...high).contains(Self.scaled($0, true)) }
            // Every second mark, if they would touch.
            return inside.count <= 6 ? inside : inside.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        }
        let step = high - low > 50 ? 20.0 : 10
        return Array(stride(from: (low / step).rounded(.up) * step, through: high, by: step))
    }
}

extension BeaconBucket {
    /// The levels in the form that a chart takes.
    var levelValues: (low: Double, median: Double, high: Double)? {
        levels.map { (Double($0.low), Double($0.median), Double($0.high)) }
    }
}
