import Beacon

/// Each beacon has one colour on the whole page; those that matter most have colours of their own.
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

    /// The class that sets it.
    func name(of id: BeaconID) -> String { "c\(places[id] ?? 0)" }
}
