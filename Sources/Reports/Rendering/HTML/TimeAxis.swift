import Beacon

/// Maps times to horizontal positions in a chart.
struct TimeAxis {
    let span: ClosedRange<Timestamp>
    let localTime: LocalTime
    /// The left and right edge of the chart.
    let left: Double
    let right: Double

    func x(_ time: Timestamp) -> Double {
        guard span.seconds > 0 else { return left }
        let share = time.elapsed(since: span.lowerBound) / span.seconds
        return left + min(max(0, share), 1) * (right - left)
    }

    /// A position on the axis and its label.
    struct Mark {
        var x: Double
        var label: String
        var isDay: Bool
    }

    /// The possible steps between marks: in seconds within a day, then in days, then in months.
    private static let seconds = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    ]
    private static let days = [1, 2, 7, 14]
    private static let months = [1, 3, 6, 12, 60, 120, 600]
    /// More marks are not readable. The greatest possible span has thousands of decades.
    private static let mostMarks = 60

    /// Marks at round times of day, at days or at the first of months; about `most` of them.
    func marks(_ most: Int) -> [Mark] {
        guard span.seconds > 0 else { return [] }
        func fits(_ step: Double) -> Bool { span.seconds / step <= Double(most) }
        let first = localTime.parts(of: span.lowerBound)
        var times: [(time: Timestamp, step: Int)] = []
        func add(_ time: Timestamp?, _ step: Int) -> Bool {
            guard let time, time <= span.upperBound, times.count < Self.mostMarks else { return false }
            if time >= span.lowerBound { times.append((time, step)) }
            return true
        }
        if let step = Self.seconds.first(where: { fits(Double($0)) }) {
            // One day at a time, so that the hours stay round when daylight saving time starts or ends.
            var day = first.day
            let begin = (first.hour * 3600 + first.minute * 60 + first.second) / step * step
            while stride(from: day == first.day ? begin : 0, to: 86_400, by: step).allSatisfy({ second in
                add(localTime.time(year: first.year, month: first.month, day: day, second: second), step)
            }) { day += 1 }
        } else if let step = Self.days.first(where: { fits(Double($0) * 86_400) }) {
            var day = first.day
            while add(localTime.time(year: first.year, month: first.month, day: day), 86_400) { day += step }
        } else if let step = Self.months.first(where: { fits(Double($0) * 30.4 * 86_400) }) {
            var month = (first.month - 1) / min(step, 12) * min(step, 12) + 1
            let year = step > 12 ? first.year / (step / 12) * (step / 12) : first.year
            while add(localTime.time(year: year, month: month, day: 1), 30 * 86_400) { month += step }
        }
        return times.map { time, step in
            let parts = localTime.parts(of: time.advanced(bySeconds: 0.5))
            let isDay = parts.hour == 0 && parts.minute == 0 && parts.second == 0
            let date = String(localTime.text(time.advanced(bySeconds: 0.5)).prefix(10))
            let label = step > 86_400 ? String(date.prefix(7)) : isDay
                ? String(date.dropFirst(5)) : localTime.clock(time.advanced(bySeconds: 0.5), seconds: step < 60)
            return Mark(x: x(time), label: label, isDay: isDay)
        }
    }

    /// Vertical lines, with labels below.
    func grid(top: Double, bottom: Double, most: Int, labels: Bool = true) -> String {
        marks(most).map { mark in
            let line =
                "<path class=\"grid\(mark.isDay ? " day" : "")\" d=\"M\(coordinate(mark.x)) "
                    + "\(coordinate(top))V\(coordinate(bottom))\"/>"
            // A label at the very edge would be cut off.
            guard labels, mark.x > left + 8 || left > 20, mark.x < right - 10 else { return line }
            return line + "<text class=\"axis\" x=\"\(coordinate(mark.x))\" y=\"\(coordinate(bottom + 14))\" "
                + "text-anchor=\"middle\">\(mark.label)</text>"
        }.joined(separator: "\n") + "\n"
    }

    /// Times as a path of rectangles. Times that are closer together than about a pixel are joined.
    func bars(_ spans: [ClosedRange<Timestamp>], top: Double, height: Double, least: Double = 1.5) -> String {
        var path = ""
        var open: (from: Double, to: Double)?
        func draw(_ bar: (from: Double, to: Double)) {
            path +=
                "M\(coordinate(bar.from)) "
                    + "\(coordinate(top))H\(coordinate(bar.to))v\(coordinate(height))H\(coordinate(bar.from))z"
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
