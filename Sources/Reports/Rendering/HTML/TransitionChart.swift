import Beacon
import Glibc
import Text

/// The beacons on a circle, with the most frequent transitions between them. A wider arrow means a more frequent one.
struct TransitionChart {
    let report: HistoryReport
    let labels: BeaconLabels
    let colours: ReportColours

    private static let width = 560.0
    private static let height = 440.0
    private static let radius = 140.0
    /// More ways would be unreadable.
    static let mostWays = 20

    private struct Node {
        var id: BeaconID
        var angle: Double
        var x: Double
        var y: Double
        var radius: Double
    }

    var html: String {
        let nodes = nodes
        let places = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let most = Double(report.transitions.first?.count ?? 1)
        let names = Dictionary(
            zip(nodes.map(\.id), shortenedApart(nodes.map { labels.short($0.id) }, 20)),
            uniquingKeysWith: { first, _ in first })
        var body = ""
        // The frequent ways are drawn last, on top.
        for transition in ways.reversed() {
            guard let from = places[transition.from], let to = places[transition.to] else { continue }
            body += way(from, to, transition, width: 1.2 + 6.8 * Double(transition.count) / most)
        }
        for node in nodes {
            let isLeft = cos(node.angle) < -0.01
            let isMiddle = abs(cos(node.angle)) < 0.25
            let anchor = isMiddle ? "middle" : isLeft ? "end" : "start"
            let gap = node.radius + 8
            let (x, y) = (
                node.x + cos(node.angle) * gap, node.y + sin(node.angle) * (isMiddle ? gap + 6 : gap) + 4
            )
            body +=
                "<g class=\"\(colours.name(of: node.id))\"><circle class=\"full\" cx=\"\(coordinate(node.x))\" "
                    + "cy=\"\(coordinate(node.y))\" "
                + "r=\"\(coordinate(node.radius))\"/><text x=\"\(coordinate(x))\" y=\"\(coordinate(y))\" "
                + "text-anchor=\"\(anchor)\">"
                + "\(escaped(names[node.id] ?? ""))</text></g>\n"
        }
        let detail = report.transitions.prefix(5).map {
            "\(labels.full($0.from)) to \(labels.full($0.to)): \($0.count)"
        }.joined(separator: "; ")
        return svg(
            "Ways from the nearest beacon to the next", detail, width: Self.width, height: Self.height, body)
    }

    /// The number of transitions that the chart leaves out.
    var leftOut: Int { report.transitions.count - ways.count }

    private var ways: ArraySlice<Transition> { report.transitions.prefix(Self.mostWays) }

    private var nodes: [Node] {
        let moved = Set(ways.flatMap { [$0.from, $0.to] })
        let chosen = report.beacons.filter { moved.contains($0.id) }.sorted { $0.id < $1.id }
        let longest = chosen.map(\.nearest.seconds).max() ?? 1
        return chosen.enumerated().map { index, beacon in
            let angle = -Double.pi / 2 + 2 * Double.pi * Double(index) / Double(chosen.count)
            return Node(
                id: beacon.id, angle: angle, x: Self.width / 2 + Self.radius * cos(angle),
                y: Self.height / 2 + Self.radius * sin(angle),
                radius: 7 + 11 * (beacon.nearest.seconds / max(longest, 1)).squareRoot())
        }
    }

    /// A curve that bends to the left of its direction, so that both directions lie side by side.
    private func way(_ from: Node, _ to: Node, _ transition: Transition, width: Double) -> String {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = max((dx * dx + dy * dy).squareRoot(), 1)
        let bend = 0.16 * length
        let (controlX, controlY) = ((from.x + to.x) / 2 + dy / length * bend, (from.y + to.y) / 2 - dx / length * bend)
        // It ends before the circle, with an arrowhead.
        let (endX, endY) = (to.x - controlX, to.y - controlY)
        let endLength = max((endX * endX + endY * endY).squareRoot(), 1)
        let (ux, uy) = (endX / endLength, endY / endLength)
        let head = 6 + width
        let (tipX, tipY) = (to.x - ux * (to.radius + 2), to.y - uy * (to.radius + 2))
        let (baseX, baseY) = (tipX - ux * head, tipY - uy * head)
        let side = head * 0.5
        let words = "\(labels.full(from.id)) → \(labels.full(to.id)): \(transition.count)"
        return "<g class=\"\(colours.name(of: from.id))\"><title>\(escaped(words))</title>"
            + "<path class=\"way\" stroke-width=\"\(coordinate(width))\" d=\"M\(coordinate(from.x)) "
            + "\(coordinate(from.y))"
            + "Q\(coordinate(controlX)) \(coordinate(controlY)) \(coordinate(baseX)) \(coordinate(baseY))\"/>"
            + "<path class=\"tip\" d=\"M\(coordinate(tipX)) \(coordinate(tipY))L\(coordinate(baseX - uy * side)) "
            + "\(coordinate(baseY + ux * side))"
            + "L\(coordinate(baseX + uy * side)) \(coordinate(baseY - ux * side))z\"/></g>\n"
    }
}
