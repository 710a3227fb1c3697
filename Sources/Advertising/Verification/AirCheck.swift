package import Beacon

/// Judges by another receiver's reports whether a beacon is on the air as it should be. Pure.
package struct AirCheck: Sendable {
    /// One advertising report, as another adapter or bluetoothd tells it.
    package struct Report: Sendable {
        package var time: Timestamp
        /// Nil where it is not told.
        package var address: DeviceAddress?
        /// dBm; nil where it is not known.
        package var rssi: Int8?
        /// The whole payload; nil where only the iBeacon is known (bluetoothd).
        package var payload: [UInt8]?
        package var beacon: IBeacon?

        package init(time: Timestamp, address: DeviceAddress?, rssi: Int8?, payload: [UInt8]?, beacon: IBeacon?) {
            self.time = time
            self.address = address
            self.rssi = rssi
            self.payload = payload
            self.beacon = beacon
        }
    }

    /// What was found out.
    package enum Verdict: Hashable, Sendable {
        case heard(Reception)
        /// Not one report, of anybody's.
        case deaf
        /// Others were heard: so many reports.
        case notHeard(others: Int)
        /// The beacon's sender was heard, with something else in it.
        case wrong(PayloadDifference, heard: [UInt8])
        /// Only the iBeacon is known, and it says another measured power.
        case wrongPower(heard: Int8)
    }

    /// How a beacon was heard.
    package struct Reception: Hashable, Sendable {
        package var count: Int
        /// Seconds from the first report to the last.
        package var span: Double
        /// dBm: weakest, median, strongest; nil where no level is known.
        package var levels: [Int8]?
        /// Whether all octets were compared, or the iBeacon alone.
        package var isWhole: Bool

        /// Seconds; nil where there is only one report.
        package var meanInterval: Double? { count > 1 ? span / Double(count - 1) : nil }
    }

    private let sent: [UInt8]
    private let beacon: IBeacon
    /// The sender's; nil where it is not known (a random address that bluetoothd chose).
    private let address: DeviceAddress?
    private var count = 0
    private var others = 0
    private var first: Timestamp?
    private var last: Timestamp?
    private var levels: [Int8] = []
    private var isWhole = true
    private var difference: (PayloadDifference, [UInt8])?
    private var earlierDifference: (PayloadDifference, [UInt8])?
    private var wrongPower: Int8?

    package init(sent: [UInt8], beacon: IBeacon, address: DeviceAddress?) {
        self.sent = sent
        self.beacon = beacon
        self.address = address
    }

    package mutating func hear(_ report: Report) {
        if let payload = report.payload, let address {
            guard report.address == address else { return others += 1 }
            if let found = PayloadDifference(sent: sent, heard: payload) {
                // Before the first right one, it is what a killed program left on the air.
                if count == 0 {
                    earlierDifference = earlierDifference ?? (found, payload)
                } else {
                    difference = difference ?? (found, payload)
                }
                return
            }
        } else {
            guard let heard = report.beacon, heard.id == beacon.id else { return others += 1 }
            isWhole = false
            guard heard.measuredPower == beacon.measuredPower else {
                wrongPower = wrongPower ?? heard.measuredPower
                return
            }
        }
        count += 1
        first = first ?? report.time
        last = report.time
        if let rssi = report.rssi { levels.append(rssi) }
    }

    /// Whether enough was heard to say that something is wrong.
    package var hasFailed: Bool { difference != nil || (count > 0 && wrongPower != nil) }

    /// What is to be said at the end.
    package var verdict: Verdict {
        if let (difference, heard) = difference ?? (count == 0 ? earlierDifference : nil) {
            return .wrong(difference, heard: heard)
        }
        if let wrongPower { return .wrongPower(heard: wrongPower) }
        guard count > 0, let first, let last else { return others > 0 ? .notHeard(others: others) : .deaf }
        let sorted = levels.sorted()
        return .heard(
            Reception(
                count: count, span: Double(last.microseconds - first.microseconds) / 1e6,
                levels: sorted.isEmpty ? nil : [sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1]],
                isWhole: isWhole))
    }
}
