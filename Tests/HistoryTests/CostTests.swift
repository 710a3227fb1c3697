import Beacon
import Ranging
import Reports
import TestSupport
import Testing

@Suite(.serialized) struct CostTests {
    /// Best of some rounds, so that what else the machine does counts little.
    @Test(.timeLimit(.minutes(5)))
    func `recording a sighting costs no more than ranging it`() {
        var random = SeededGenerator(seed: 1)
        let clock = ContinuousClock()
        let beacons = 200
        var ranger = Ranger()
        var recorder = ObservationRecorder(interval: 60)
        var ranging = Duration.seconds(1000)
        var recording = Duration.seconds(1000)
        var moment = 1_800_000_000.0
        let (rounds, batch) = (8, 40_000)
        for _ in 0..<rounds {
            let heard = (0..<batch).map { step in
                Sighting(
                    time: Timestamp(seconds: moment + Double(step) / Double(batch)),
                    rssi: Int8.random(in: -80 ... -60, using: &random),
                    beacon: IBeacon(id: id(UInt16(step % beacons)), measuredPower: -59))
            }
            moment += 1
            var result: (ranking: Ranking, events: [RangingEvent]) = (
                Ranking(time: .init(microseconds: 0), nearest: nil, beacons: []), []
            )
            ranging = min(
                ranging,
                clock.measure {
                    for sighting in heard { ranger.add(sighting) }
                    result = ranger.tick(at: Timestamp(seconds: moment))
                })
            recording = min(
                recording, clock.measure { _ = recorder.observe(heard, result.ranking, result.events, isBlind: false) })
        }
        func nanoseconds(_ duration: Duration) -> Int64 {
            duration.components.attoseconds / 1_000_000_000 / Int64(batch)
        }
        print("ranging \(nanoseconds(ranging)) ns a sighting, recording \(nanoseconds(recording)) ns")
        #expect(recording <= ranging)
    }
}
