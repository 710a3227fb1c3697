import Beacon
import Curation
import CurationStore
import HTTPTypes
package import Hummingbird

/// How long visitors stayed, by beacon and revision of the content.
package struct StatisticsRoutes: RouteGroup {
    /// The days that are shown at first, today being the last.
    static let days: Int64 = 30
    static let mostRows = 50_000

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/statistics") { _, context in
            try context.signedIn()
            let texts = services.texts(context)
            let today = CivilDay.number(of: services.now())
            let until = min(CivilDay.number(of: context.query["until"]) ?? today, today)
            let wanted = min(CivilDay.number(of: context.query["from"]) ?? (until - Self.days + 1), until)
            let from = max(wanted, until - CivilDay.most)
            // One more shows whether there are more.
            let rows = try await services.store.dwell(DwellQuery(days: from...until, limit: Self.mostRows + 1))
            let summary = DwellSummary(rows, atMost: Self.mostRows)
            let names = try await BeaconNames(summary.beacons.map(\.beacon), services, texts)
            let values: [String: PageValue] = [
                "from": .text(CivilDay.text(of: from)), "until": .text(CivilDay.text(of: until)),
                "today": .text(CivilDay.text(of: today)), "any": .flag(!rows.isEmpty),
                "beacons": .list(summary.beacons.map { Self.value($0, names, summary.longest, texts) }),
                "rest": texts.notShown(summary.rest),
                "leftOut": PageValue(
                    summary.since.map { texts.text("statistics.left_out", CivilDay.text(of: $0)) }),
                "days": DayPlot(summary.visits, days: from...until).value,
            ]
            return try await services.page("statistics", values, context)
        }
    }

    private static func value(
        _ beacon: DwellSummary.Beacon, _ names: BeaconNames, _ longest: Double, _ texts: Catalogue
    ) -> PageValue {
        [
            "name": .text(names[beacon.beacon]),
            "revisions": .list(
                beacon.revisions.enumerated().map { index, each in
                    [
                        "title": .text(texts.text("revisions.number", "\(each.revision)")),
                        "share": .text(fixedShare(each.mean, of: longest)), "tone": .text("\(index % 5 + 1)"),
                        "mean": .text(texts.text("statistics.seconds", "\(Int(each.mean.rounded()))")),
                        "visits": .text("\(each.visits)"),
                    ]
                }),
        ]
    }

    /// Percent, with one digit.
    private static func fixedShare(_ value: Double, of longest: Double) -> String {
        longest > 0 ? "\((value / longest * 1000).rounded() / 10)" : "0"
    }
}
