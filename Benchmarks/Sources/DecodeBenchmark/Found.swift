import Beacon

/// What was decoded: the count and the sums that `tools/bench/workload.py` writes beside its captures.
struct Found: Equatable {
    private var count = 0
    private var major = 0
    private var minor = 0
    private var measuredPower = 0
    private var rssi = 0
    private var uuidOctets = 0

    mutating func add(_ sighting: borrowing Sighting) {
        count += 1
        major += Int(sighting.beacon.id.major)
        minor += Int(sighting.beacon.id.minor)
        measuredPower += Int(sighting.beacon.measuredPower)
        rssi += Int(sighting.rssi ?? 0)
        for index in 0..<16 { uuidOctets += Int(sighting.beacon.id.uuid.octet(at: index)) }
    }

    var json: String {
        "{\"count\": \(count), \"major\": \(major), \"minor\": \(minor), \"measured_power\": \(measuredPower), "
            + "\"rssi\": \(rssi), \"uuid_bytes\": \(uuidOctets)}"
    }
}

/// One number of all fields. The measured rounds make it, so that no field is left out as unused. It costs less than a
/// sum of each, as in `c_baseline parse`.
struct Digest: Equatable {
    private var sum = 0

    @inline(__always)
    mutating func add(_ sighting: borrowing Sighting) {
        let beacon = sighting.beacon
        sum &+= Int(beacon.id.uuid.octet(at: 15)) &+ Int(beacon.id.major) &+ Int(beacon.id.minor)
        sum &+= Int(beacon.measuredPower) &+ Int(sighting.rssi ?? 0)
    }
}
