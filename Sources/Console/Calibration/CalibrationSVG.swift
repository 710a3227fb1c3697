import Glibc
import Ranging
import Text

extension CalibrationResult {
    /// A plot of level against distance: the readings, the fitted line with its uncertainty, and the level that the
    /// beacon states.
    package var svg: String {
        CalibrationChart(self).svg
    }
}

/// Maps values to positions in the plot.
private struct CalibrationChart {
    private let result: CalibrationResult
    private let width = 720.0
    private let height = 440.0
    private let left = 64.0
    private let right = 20.0
    private let top = 56.0
    private let bottom = 52.0
    /// The axes: decades of distance, and dBm.
    private let decades: ClosedRange<Double>
    private let levels: ClosedRange<Double>

    init(_ result: CalibrationResult) {
        self.result = result
        let points = result.estimate.points
        let nearest = min(0.5, points.first?.metres ?? 1)
        let farthest = max(4, 2 * (points.last?.metres ?? 1))
        decades = log10(nearest)...log10(farthest)
        let all = points.flatMap { $0.quantiles.map(Double.init) }
            + [nearest, farthest].map { result.level(at: $0) } + (result.estimate.claimed.map { [Double($0)] } ?? [])
        let (low, high) = (all.min() ?? -100, all.max() ?? -40)
        levels = ((low - 3) / 10).rounded(.down) * 10...((high + 3) / 10).rounded(.up) * 10
    }

    private func x(_ metres: Double) -> Double {
        left
            + (log10(metres) - decades.lowerBound) / (decades.upperBound - decades.lowerBound) * (width - left - right)
    }

    private func y(_ level: Double) -> Double {
        top + (levels.upperBound - level) / (levels.upperBound - levels.lowerBound) * (height - top - bottom)
    }

    private func place(_ metres: Double, _ level: Double) -> String {
        "\(fixed(x(metres), digits: 1)),\(fixed(y(level), digits: 1))"
    }

    /// Distances from one edge to the other, at even steps of the logarithmic axis.
    private var way: [Double] {
        (0...60).map { pow(10, decades.lowerBound + Double($0) / 60 * (decades.upperBound - decades.lowerBound)) }
    }

    var svg: String {
        let estimate = result.estimate
        let title = result.name ?? result.identity
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" width="\(Int(width))" \
            height="\(Int(height))" role="img" font-family="sans-serif" font-size="13">
            <title>Calibration of \(escaped(title))</title>
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="\(fixed(left, digits: 0))" y="22" font-size="16" font-weight="bold">\(escaped(title))</text>
            <text x="\(fixed(left, digits: 0))" y="42" fill="#555">\(escaped(summary))</text>

            """
        text += grid
        let band = way.map { place($0, result.level(at: $0) + halfWidth($0)) }
            + way.reversed().map { place($0, result.level(at: $0) - halfWidth($0)) }
        text += "<polygon points=\"\(band.joined(separator: " "))\" fill=\"#2a6f97\" fill-opacity=\"0.15\"/>\n"
        text += line(way.map { place($0, result.level(at: $0)) }, "stroke=\"#2a6f97\" stroke-width=\"2\"")
        if let claimed = estimate.claimed {
            let offset = Double(claimed) - estimate.measuredPower
            text += line(
                way.map { place($0, result.level(at: $0) + offset) }, "stroke=\"#b5562a\" stroke-dasharray=\"5 4\"")
        }
        for point in estimate.points {
            text += line(
                [place(point.metres, Double(point.quantiles[0])), place(point.metres, Double(point.quantiles[2]))],
                "stroke=\"#222\"")
            let (centreX, centreY) = (fixed(x(point.metres), digits: 1), fixed(y(point.level), digits: 1))
            text +=
                "<circle cx=\"\(centreX)\" cy=\"\(centreY)\" r=\"5\" fill=\"#222\">"
                    + "<title>\(fixed(point.metres, digits: 1)) m: \(fixed(point.level, digits: 1)) dBm, "
                + "\(point.count) readings</title></circle>\n"
        }
        return text + "</svg>\n"
    }

    /// The result in one line.
    private var summary: String {
        let estimate = result.estimate
        return "\(fixed(estimate.measuredPower, digits: 1)) dBm at 1 m ("
            + "\(fixed(estimate.interval.lowerBound, digits: 1)) to \(fixed(estimate.interval.upperBound, digits: 1)))"
            + (estimate.claimed.map { ", claimed \($0)" } ?? "")
            + ", exponent \(fixed(result.exponent, digits: 2))"
            + (estimate.exponent == result.exponent ? "" : " (the site's)")
            + ", \(result.samples) readings by \(result.scanner)"
    }

    private var grid: String {
        var text = "<g stroke=\"#ddd\">\n"
        var labels = "<g fill=\"#555\">\n"
        let (leftEdge, rightEdge) = (fixed(left, digits: 0), fixed(width - right, digits: 0))
        let (topEdge, bottomEdge) = (fixed(top, digits: 0), fixed(height - bottom, digits: 0))
        for level in stride(from: levels.lowerBound, through: levels.upperBound, by: 10) {
            let position = fixed(y(level), digits: 1)
            text += "<line x1=\"\(leftEdge)\" x2=\"\(rightEdge)\" y1=\"\(position)\" y2=\"\(position)\"/>\n"
            labels += "<text x=\"\(fixed(left - 8, digits: 0))\" y=\"\(fixed(y(level) + 4, digits: 1))\" "
                + "text-anchor=\"end\">\(Int(level))</text>\n"
        }
        for metres in [0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 50, 100, 200] where decades.contains(log10(metres)) {
            let position = fixed(x(metres), digits: 1)
            text += "<line x1=\"\(position)\" x2=\"\(position)\" y1=\"\(topEdge)\" y2=\"\(bottomEdge)\"/>\n"
            labels += "<text x=\"\(position)\" y=\"\(fixed(height - bottom + 18, digits: 0))\" text-anchor=\"middle\">"
                + "\(metres < 1 ? fixed(metres, digits: 1) : "\(Int(metres))")</text>\n"
        }
        labels += "<text x=\"\(fixed((left + width - right) / 2, digits: 0))\" y=\"\(fixed(height - 10, digits: 0))\" "
            + "text-anchor=\"middle\">metres</text>\n"
        labels += "<text transform=\"translate(18 \(fixed((top + height - bottom) / 2, digits: 0))) rotate(-90)\" "
            + "text-anchor=\"middle\">dBm</text>\n"
        return text + "</g>\n" + labels + "</g>\n"
    }

    private func line(_ places: [String], _ style: String) -> String {
        "<polyline points=\"\(places.joined(separator: " "))\" fill=\"none\" \(style)/>\n"
    }

    /// Half the width of the interval that contains the line with 80 % probability.
    private func halfWidth(_ metres: Double) -> Double {
        let power = (result.estimate.interval.upperBound - result.estimate.interval.lowerBound) / 2
        let exponent = 1.2816 * (result.estimate.exponentDeviation ?? 0) * 10 * log10(metres)
        return (power * power + exponent * exponent).squareRoot()
    }

    private func escaped(_ text: String) -> String { escapedMarkup(printable(text).unicodeScalars) }
}
