import Beacon
package import Text

extension HistoryReport {
    /// The report limited to some of its beacons: their figures and transitions. Regions and content stay.
    ///
    /// - Throws: where no beacon matches; the failure lists the beacons that there are.
    package func only(_ filter: BeaconFilter) throws(BeaconQuery.Failure) -> HistoryReport {
        guard !filter.isEmpty else { return self }
        var names: [BeaconID: String] = [:]
        for beacon in beacons { names[beacon.id] = beacon.name }
        try filter.require(among: beacons.map(\.id), names: names)
        var report = self
        report.beacons = beacons.filter { filter.contains($0.id, name: $0.name) }
        report.count = report.beacons.reduce(0) { $0 + $1.count }
        let kept = Set(report.beacons.map(\.id))
        report.transitions = transitions.filter { kept.contains($0.from) && kept.contains($0.to) }
        return report
    }
}
