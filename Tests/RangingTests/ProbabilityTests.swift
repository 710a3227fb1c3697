import Beacon
import Ranging
import Testing

/// Who is nearer by the levels, where all that is uncertain about them is known.
@Suite("The probability of being nearer")
struct ProbabilityTests {
    /// Of the second of two beacons that are read once, 7 dB apart.
    private func probability(_ change: (inout RangingSettings) -> Void) throws -> Double {
        var settings = RangingSettings()
        settings.readingDeviation = 0.1
        settings.shadowingDeviation = 0
        settings.measuredPowerDeviation = 0
        change(&settings)
        var ranger = Ranger(settings: settings)
        ranger.add(sighting(1, at: 0, rssi: -60))
        ranger.add(sighting(2, at: 0, rssi: -67))
        _ = ranger.tick(at: Timestamp(seconds: 0))
        return try #require(ranger.explanation(of: beacon(2), at: Timestamp(seconds: 0))?.probabilityNearer)
    }

    /// Of a normal distribution, below -7 / 7.0711: 7 dB against two times 25 dB².
    private let expected = 0.1611

    @Test("what each reading may be wrong by counts for both beacons")
    func readings() throws {
        #expect(abs(try probability { $0.readingDeviation = 5 } - expected) < 0.001)
    }

    @Test("what people and furniture take away counts for both beacons")
    func shadowing() throws {
        #expect(abs(try probability { $0.shadowingDeviation = 5 } - expected) < 0.001)
    }

    @Test("what claims are wrong by counts for both beacons, and for one whose power is known does not")
    func powers() throws {
        #expect(abs(try probability { $0.measuredPowerDeviation = 5 } - expected) < 0.001)
        for minor in 1...2 as ClosedRange<UInt16> {
            let one = try probability {
                $0.measuredPowerDeviation = 7.0711
                $0.corrections = [BeaconConstraint(beacon(minor)): BeaconCorrection(deviation: 0)]
            }
            #expect(abs(one - expected) < 0.001)
        }
    }

    @Test("where nothing is uncertain it is certain")
    func certain() throws {
        #expect(try probability { _ in } < 1e-9)
    }
}
