import Beacon

/// Gives each beacon one colour for the whole page. The most important beacons have colours that no other one has.
struct ReportColours {
    private let places: [BeaconID: Int]

    static let count = 10

    init(_ report: HistoryReport) {
        let order = report.beacons.enumerated().sorted {
            let (left, right) = ($0.element.nearest.seconds, $1.element.nearest.seconds)
            return left != right ? left > right : $0.offset < $1.offset
        }
        places = Dictionary(order.enumerated().map { ($1.element.id, $0 % Self.count) }, uniquingKeysWith: { $1 })
    }

    /// The CSS class for the colour.
    func name(of id: BeaconID) -> String { "c\(places[id] ?? 0)" }
}
