import Beacon
package import Text

extension HistoryReport {
    /// The same about some of its beacons: their figures, and the ways between them. Regions and content stay.
    ///
    /// - Throws: a failure that says which beacons there are, where none of them is one that is asked for.
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
