import Beacon

/// The regions that the scanner is inside. It follows the beacons' enter and exit events, so it has their time-outs,
/// and no region is exited while the scanner is blind.
struct RegionMonitor {
    let regions: [BeaconRegion]
    private var byConstraint: [BeaconConstraint: [Int]] = [:]
    /// The number of beacons present in each region, and when it was entered.
    private(set) var counts: [Int]
    private(set) var entered: [Timestamp]
    /// Regions with a dwell time that has not passed yet.
    private var waiting: Set<Int> = []

    init(_ regions: [BeaconRegion]) {
        self.regions = regions
        counts = Array(repeating: 0, count: regions.count)
        entered = Array(repeating: Timestamp(microseconds: 0), count: regions.count)
        for (index, region) in regions.enumerated() {
            byConstraint[region.constraint, default: []].append(index)
        }
    }

    /// Continues with other regions. A region that was watched before keeps its state. One that was removed, or has
    /// another name or other beacons, is exited. A new one is entered if beacons that belong to it are present.
    init(
        _ regions: [BeaconRegion], after old: RegionMonitor, present: [BeaconID], at time: Timestamp,
        events: inout [RangingEvent]
    ) {
        self.init(regions)
        var isNew = Array(repeating: true, count: regions.count)
        var isGone = Array(repeating: true, count: old.regions.count)
        for (index, region) in regions.enumerated() {
            guard
                let before = old.regions.firstIndex(where: {
                    $0.identifier == region.identifier && $0.constraint == region.constraint
                })
            else { continue }
            isNew[index] = false
            isGone[before] = false
            counts[index] = old.counts[before]
            entered[index] = old.entered[before]
            let wasWaiting = old.regions[before].dwell == nil || old.waiting.contains(before)
            if counts[index] > 0, region.dwell != nil, wasWaiting { waiting.insert(index) }
        }
        // Exits first, so that a name that is used again ends as entered.
        for index in old.regions.indices where isGone[index] && old.counts[index] > 0 {
            events.append(old.exited(index, at: time))
        }
        for id in present {
            enter(id, at: time, events: &events) { isNew[$0] }
        }
    }

    private func exited(_ index: Int, at time: Timestamp) -> RangingEvent {
        .regionExited(regions[index], after: max(0, time.elapsed(since: entered[index])))
    }

    var isEmpty: Bool { regions.isEmpty }

    /// The regions that a beacon belongs to.
    func identifiers(of id: BeaconID) -> [String] {
        indices(of: id).map { regions[$0].identifier }
    }

    mutating func enter(
        _ id: BeaconID, at time: Timestamp, events: inout [RangingEvent], where isMeant: (Int) -> Bool = { _ in true }
    ) {
        for index in indices(of: id) where isMeant(index) {
            counts[index] += 1
            guard counts[index] == 1 else { continue }
            entered[index] = time
            events.append(.regionEntered(regions[index]))
            if regions[index].dwell != nil {
                waiting.insert(index)
            }
        }
    }

    mutating func exit(_ id: BeaconID, at time: Timestamp, events: inout [RangingEvent]) {
        for index in indices(of: id) where counts[index] > 0 {
            counts[index] -= 1
            guard counts[index] == 0 else { continue }
            waiting.remove(index)
            events.append(exited(index, at: time))
        }
    }

    /// Reports the dwell events that are due at `time`.
    mutating func dwell(until time: Timestamp, events: inout [RangingEvent]) {
        guard !waiting.isEmpty else { return }
        for index in waiting.sorted() {
            // The clock may have been set back.
            entered[index] = min(entered[index], time)
            guard let dwell = regions[index].dwell, time.elapsed(since: entered[index]) >= dwell else { continue }
            waiting.remove(index)
            events.append(.regionDwelled(regions[index]))
        }
    }

    private func indices(of id: BeaconID) -> [Int] {
        guard !regions.isEmpty else { return [] }
        return BeaconConstraint.all(for: id).flatMap { byConstraint[$0] ?? [] }
    }
}
