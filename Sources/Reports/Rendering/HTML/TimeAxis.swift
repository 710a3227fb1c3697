import Beacon

/// Where times are in a chart.
struct TimeAxis {
    let span: ClosedRange<Timestamp>
    let localTime: LocalTime
    /// The chart's edges.
    let left: Double
    let right: Double

    func x(_ time: Timestamp) -> Double {
        guard span.seconds > 0 else { return left }
        let share = time.elapsed(since: span.lowerBound) / span.seconds
        return left + min(max(0, share), 1) * (right - left)
    }

    /// A place on the axis, and what stands there.
    struct Mark {
        var x: Double
        var label: String
        var isDay: Bool
    }

    private static let steps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
        604_800, 1_209_600, 2_592_000, 7_776_000, 31_536_000,
    ].map(Double.init)

    /// At round times of day, so many at most.
    func marks(_ most: Int) -> [Mark] {
        let step = Self.steps.first { span.seconds / $0 <= Double(most) } ?? span.seconds
        guard span.seconds > 0, step > 0 else { return [] }
        let parts = localTime.parts(of: span.lowerBound)
        let midnight = span.lowerBound.advanced(bySeconds: -Double(parts.hour * 3600 + parts.minute * 60 + parts.second))
        let offset = span.lowerBound.elapsed(since: midnight)
        var marks: [Mark] = []
        var place = (offset / step).rounded(.up) * step
        while place - offset <= span.seconds, marks.count <= most + 1 {
            let time = midnight.advanced(bySeconds: place)
            // Half a second, for what is lost where it was rounded.
            let parts = localTime.parts(of: time.advanced(bySeconds: 0.5))
            let isDay = parts.hour == 0 && parts.minute == 0 && parts.second == 0
            let day = String(localTime.text(time.advanced(bySeconds: 0.5)).prefix(10).dropFirst(5))
            let clock = localTime.clock(time.advanced(bySeconds: 0.5), seconds: step < 60)
            marks.append(Mark(x: x(time), label: isDay ? day : clock, isDay: isDay))
            place += step
        }
        return marks
    }

    /// Lines from top to bottom, and labels below.
    func grid(top: Double, bottom: Double, most: Int, labels: Bool = true) -> String {
        marks(most).map { mark in
            let line = "<path class=\"grid\(mark.isDay ? " day" : "")\" d=\"M\(coordinate(mark.x)) \(coordinate(top))V\(coordinate(bottom))\"/>"
            // Labels at the very edges would be cut.
            guard labels, mark.x > left + 8 || left > 20, mark.x < right - 10 else { return line }
            return line + "<text class=\"axis\" x=\"\(coordinate(mark.x))\" y=\"\(coordinate(bottom + 14))\" "
                + "text-anchor=\"middle\">\(mark.label)</text>"
        }.joined(separator: "\n") + "\n"
    }

    /// Pieces of time as a path of rectangles; what is closer together than a pixel can tell becomes one.
    func bars(_ spans: [ClosedRange<Timestamp>], top: Double, height: Double, least: Double = 1.5) -> String {
        var path = ""
        var open: (from: Double, to: Double)?
        func draw(_ bar: (from: Double, to: Double)) {
            path += "M\(coordinate(bar.from)) \(coordinate(top))H\(coordinate(bar.to))v\(coordinate(height))H\(coordinate(bar.from))z"
        }
        for span in spans {
            let from = x(span.lowerBound)
            let to = min(max(x(span.upperBound), from + least), max(right, from))
            if let last = open, from - last.to < 0.6 {
                open = (last.from, max(last.to, to))
            } else {
                if let last = open { draw(last) }
                open = (from, to)
            }
        }
        if let last = open { draw(last) }
        return path
    }
}
