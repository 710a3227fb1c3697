package import Beacon

/// Decides from another receiver's reports whether a beacon is on the air as it should be. Pure.
package struct AirCheck: Sendable {
    /// One advertising report from another adapter or bluetoothd.
    package struct Report: Sendable {
        package var time: Timestamp
        /// Nil if the source does not report it.
        package var address: DeviceAddress?
        /// dBm; nil if unknown.
        package var rssi: Int8?
        /// The whole payload; nil if only the iBeacon is known (bluetoothd).
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

    package enum Verdict: Hashable, Sendable {
        case heard(Reception)
        /// No report of any device.
        case blind
        /// Only other devices were received; `others` is the number of their reports.
        case notHeard(others: Int)
        /// The sender was received, but with another payload.
        case wrong(PayloadDifference, heard: [UInt8])
        /// Only the iBeacon is known, and it has another measured power.
        case wrongPower(heard: Int8)
    }

    /// How a beacon was received.
    package struct Reception: Hashable, Sendable {
        package var count: Int
        /// Seconds from the first report to the last.
        package var span: Double
        /// dBm: weakest, median, strongest; nil if no level is known.
        package var levels: [Int8]?
        /// Whether all octets were compared, or only the iBeacon.
        package var isWhole: Bool

        /// Seconds; nil if there is only one report.
        package var meanInterval: Double? { count > 1 ? span / Double(count - 1) : nil }
    }

    private let sent: [UInt8]
    private let beacon: IBeacon
    /// The sender's address; nil if it is unknown (bluetoothd chose a random one).
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
                // A wrong payload before the first right one was left on the air by a program that was killed.
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

    /// Whether the reports already prove that something is wrong.
    package var hasFailed: Bool { difference != nil || (count > 0 && wrongPower != nil) }

    /// The result at the end of listening.
    package var verdict: Verdict {
        if let (difference, heard) = difference ?? (count == 0 ? earlierDifference : nil) {
            return .wrong(difference, heard: heard)
        }
        if let wrongPower { return .wrongPower(heard: wrongPower) }
        guard count > 0, let first, let last else { return others > 0 ? .notHeard(others: others) : .blind }
        let sorted = levels.sorted()
        return .heard(
            Reception(
                count: count, span: Double(last.microseconds - first.microseconds) / 1e6,
                levels: sorted.isEmpty ? nil : [sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1]],
                isWhole: isWhole))
    }
}
