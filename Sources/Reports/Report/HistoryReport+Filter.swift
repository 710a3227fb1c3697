package import Beacon
package import Text

extension HistoryReport {
    /// The report limited to some of its beacons: their figures, transitions and health. Regions and content stay.
    ///
    /// - Throws: if no beacon matches; the failure lists the beacons in the report. Does not throw if the report
    ///   covers only a time before the history begins.
    package func only(_ filter: BeaconFilter) throws(BeaconQuery.Failure) -> HistoryReport {
        guard !filter.isEmpty, !isBeforeHistory else { return self }
        var names: [BeaconID: String] = [:]
        for beacon in beacons { names[beacon.id] = beacon.name }
        for problem in health { names[problem.beacon] = problem.name }
        try filter.require(among: beacons.map(\.id) + health.map(\.beacon), names: names)
        var report = self
        report.isFiltered = true
        report.beacons = beacons.filter { filter.contains($0.id, name: $0.name) }
        report.health = health.filter { filter.contains($0.beacon, name: $0.name) }
        report.count = report.beacons.reduce(0) { $0 + $1.count }
        let kept = Set(report.beacons.map(\.id))
        report.transitions = transitions.filter { kept.contains($0.from) && kept.contains($0.to) }
        return report
    }

    /// The report with names from the configuration, which take precedence over others.
    package func named(by known: KnownBeacons) -> HistoryReport {
        var report = self
        for index in report.beacons.indices {
            if let name = known.name(of: report.beacons[index].id) { report.beacons[index].name = name }
        }
        for index in report.health.indices {
            if let name = known.name(of: report.health[index].beacon) { report.health[index].name = name }
        }
        return report
    }
}
