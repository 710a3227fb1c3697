import Beacon
import Foundation
import Ranging
import Reports
import Settings
import TestSupport

/// A scanner that is carried through rooms of beacons: from one to the next while the house is open, at rest at night.
struct SimulatedDay {
    var beacons = 100
    /// Metres from a beacon to its neighbours; they stand in a square.
    var spacing = 3.0
    /// How often each is heard in a second.
    var rate = 1.16
    /// What is weaker is not heard, in dBm.
    var sensitivity = -101.0
    var seconds = 86_400
    /// Seconds since 1970: 2026-11-20 00:00:00 UTC.
    var start = 1_795_132_800
    /// Seconds of the day at which the scanner is broken.
    var blind = 51_000..<51_400
    var opens = 9 * 3600
    var closes = 18 * 3600
    var settings = RangingSettings()

    static let uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)

    func id(_ index: Int) -> BeaconID {
        BeaconID(uuid: Self.uuid, major: 1, minor: UInt16(index))
    }

    /// Gives a tick a second to a recorder, and what is over to the caller.
    ///
    /// - Returns: how many sightings there were.
    @discardableResult
    func play(seed: UInt64 = 1, _ over: (RecordedInterval) throws -> Void) rethrows -> Int {
        var random = SeededGenerator(seed: seed)
        var ranger = Ranger(settings: settings)
        var recorder = ObservationRecorder(interval: 60)
        let columns = Int(Double(beacons).squareRoot().rounded(.up))
        let places = (0..<beacons).map { (Double($0 % columns) * spacing, Double($0 / columns) * spacing) }
        var place = (0.0, 0.0)
        var goal = 0
        var pause = 0
        var count = 0
        for second in 0..<seconds {
            let isOpen = (opens..<closes).contains(second % 86_400)
            let target = isOpen ? places[goal] : places[0]
            let way = (target.0 - place.0, target.1 - place.1)
            let length = (way.0 * way.0 + way.1 * way.1).squareRoot()
            if length > 0.8 {
                place = (place.0 + way.0 / length * 0.8, place.1 + way.1 / length * 0.8)
            } else if pause > 0 {
                pause -= 1
            } else {
                pause = Int.random(in: 20...240, using: &random)
                // Mostly on to a neighbour, as people go.
                goal =
                    Int.random(in: 0..<4, using: &random) > 0
                    ? min(goal + 1, beacons - 1) % beacons : Int.random(in: 0..<beacons, using: &random)
            }
            var heard: [Sighting] = []
            let isBlind = blind.contains(second)
            if !isBlind {
                for (index, spot) in places.enumerated() {
                    let away = (spot.0 - place.0, spot.1 - place.1)
                    let metres = max(0.7, (away.0 * away.0 + away.1 * away.1).squareRoot())
                    let level = -59 - 22 * log10(metres)
                    guard level > sensitivity - 8 else { continue }
                    var chance = rate
                    while chance > 0 {
                        if Double.random(in: 0..<1, using: &random) < chance {
                            let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -4...4, using: &random)
                            }
                            if level + noise > sensitivity {
                                let moment = Double(start + second) - Double.random(in: 0..<1, using: &random)
                                heard.append(
                                    Sighting(
                                        time: Timestamp(seconds: moment), rssi: Int8(max(-127, level + noise)),
                                        beacon: IBeacon(id: id(index), measuredPower: -59)))
                            }
                        }
                        chance -= 1
                    }
                }
            }
            count += heard.count
            for sighting in heard { ranger.add(sighting) }
            let (ranking, events) = ranger.tick(at: Timestamp(seconds: Double(start + second)), isBlind: isBlind)
            if let interval = recorder.observe(heard, ranking, events, isBlind: isBlind) { try over(interval) }
        }
        if let last = recorder.finish() { try over(last) }
        return count
    }
}
