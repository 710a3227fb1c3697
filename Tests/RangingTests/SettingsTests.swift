import Beacon
import Ranging
import Testing

@Suite("Settings at the limits of what makes sense")
struct SettingsTests {
    /// A setting, its default, and the range in which it is taken as it is, all others being the defaults.
    struct Bound: Sendable, CustomTestStringConvertible {
        var name: String
        var usual: Double
        var low: Double
        var high: Double
        var path: any WritableKeyPath<RangingSettings, Double> & Sendable
        var testDescription: String { name }
    }

    private static let bounds = [
        Bound(name: "levelWindow", usual: 2, low: 0.01, high: 3600, path: \.levelWindow),
        // Not shorter than the window.
        Bound(name: "levelReach", usual: 10, low: 2, high: 86_400, path: \.levelReach),
        Bound(name: "strengthBias", usual: 1.25, low: 0, high: 3, path: \.strengthBias),
        Bound(name: "outlierLimit", usual: 12, low: 0, high: 255, path: \.outlierLimit),
        Bound(name: "readingDeviation", usual: 5, low: 0.1, high: 50, path: \.readingDeviation),
        Bound(name: "pathLossExponent", usual: 2.2, low: 0.5, high: 10, path: \.pathLossExponent),
        Bound(name: "pathLossExponentDeviation", usual: 0.65, low: 0, high: 5, path: \.pathLossExponentDeviation),
        Bound(name: "measuredPowerCorrection", usual: 0, low: -255, high: 255, path: \.measuredPowerCorrection),
        Bound(name: "claimBias", usual: 3, low: -60, high: 60, path: \.claimBias),
        Bound(name: "typicalDistance", usual: 4, low: 0.01, high: 1000, path: \.typicalDistance),
        Bound(name: "typicalDistanceFactor", usual: 3.2, low: 1.01, high: 1e6, path: \.typicalDistanceFactor),
        Bound(name: "measuredPowerDeviation", usual: 5.75, low: 0, high: 100, path: \.measuredPowerDeviation),
        Bound(name: "shadowingDeviation", usual: 3.8, low: 0, high: 100, path: \.shadowingDeviation),
        Bound(name: "immediateDistance", usual: 0.5, low: 0, high: 1000, path: \.immediateDistance),
        // Not nearer than what is immediate.
        Bound(name: "nearDistance", usual: 3, low: 0.5, high: 1000, path: \.nearDistance),
        Bound(name: "proximityHysteresis", usual: 1.2, low: 1, high: 10, path: \.proximityHysteresis),
        Bound(name: "widestInterval", usual: 25, low: 1, high: 1e9, path: \.widestInterval),
        Bound(name: "staleAge", usual: 3, low: 0.01, high: 86_400, path: \.staleAge),
        Bound(name: "placeDeviation", usual: 7, low: 0.1, high: 1e6, path: \.placeDeviation),
        Bound(name: "claimDeviation", usual: 4, low: 0, high: 100, path: \.claimDeviation),
        Bound(name: "nearestMargin", usual: 2, low: 0, high: 255, path: \.nearestMargin),
        Bound(name: "nearestEvidence", usual: 3.5, low: 0, high: 1e6, path: \.nearestEvidence),
        // Not less than what a lead over all needs.
        Bound(name: "disputedEvidence", usual: 12, low: 3.5, high: 1e6, path: \.disputedEvidence),
        Bound(name: "returnPenalty", usual: 5, low: 0, high: 1000, path: \.returnPenalty),
        Bound(name: "returnPenaltyLimit", usual: 15, low: 1, high: 1000, path: \.returnPenaltyLimit),
        Bound(name: "returnPenaltyHalfLife", usual: 10_000, low: 1, high: 1e6, path: \.returnPenaltyHalfLife),
        Bound(name: "decisiveDeviations", usual: 7, low: 0, high: 1000, path: \.decisiveDeviations),
        Bound(name: "partingMargin", usual: 8, low: 0, high: 255, path: \.partingMargin),
        Bound(name: "partingEvidence", usual: 60, low: 0, high: 1e6, path: \.partingEvidence),
        Bound(name: "exitIntervals", usual: 10, low: 1, high: 1000, path: \.exitIntervals),
        Bound(name: "exitFloor", usual: 5, low: 0.01, high: 86_400, path: \.exitFloor),
        // The cap is not below the floor, and who has exited is remembered for the cap at least.
        Bound(name: "exitCap", usual: 30, low: 5, high: 86_400, path: \.exitCap),
        Bound(name: "memory", usual: 600, low: 30, high: 1e7, path: \.memory),
    ]

    @Test("a setting has the default of docs/configuration.md", arguments: bounds)
    func defaults(bound: Bound) {
        #expect(RangingSettings()[keyPath: bound.path] == bound.usual)
    }

    @Test("a value at a limit stays, and one beyond it, or that is none, is brought there", arguments: bounds)
    func limits(bound: Bound) {
        let (low, high) = (bound.low, bound.high)
        for (given, kept) in [
            (low, low), (high, high), (low - 0.001, low), (high + 0.5, high), (-.infinity, low), (.infinity, high),
            (.nan, low),
        ] {
            var settings = RangingSettings()
            settings[keyPath: bound.path] = given
            #expect(Ranger(settings: settings).settings[keyPath: bound.path] == kept, "\(given)")
        }
    }

    @Test(
        "a level is made of one reading at least, and of no more than are kept",
        arguments: [(.min, 1), (0, 1), (1, 1), (24, 24), (25, 24), (.max, 24)] as [(Int, Int)])
    func minimumReadings(given: Int, kept: Int) {
        var settings = RangingSettings()
        settings.minimumReadings = given
        #expect(settings.validated.minimumReadings == kept)
    }

    @Test(
        "one beacon at least is tracked, and a million at most",
        arguments: [(0, 1), (1, 1), (1_000_000, 1_000_000), (1_000_001, 1_000_000)])
    func maximumBeacons(given: Int, kept: Int) {
        var settings = RangingSettings()
        settings.maximumBeacons = given
        #expect(settings.validated.maximumBeacons == kept)
    }

    @Test(
        "a receiver's correction is 255 dB at most",
        arguments: [(-256.0, -255.0), (-255, -255), (255, 255), (256, 255)])
    func receivers(given: Double, kept: Double) {
        var settings = RangingSettings()
        settings.receiverCorrections = [3: given]
        #expect(settings.validated.receiverCorrections == [3: kept])
    }

    @Test("a beacon's correction has limits part by part, and what it does not have stays open")
    func corrections() {
        func kept(_ correction: BeaconCorrection) -> BeaconCorrection? {
            var settings = RangingSettings()
            settings.corrections = [BeaconConstraint(beacon(1)): correction]
            return settings.validated.corrections[BeaconConstraint(beacon(1))]
        }
        let least = BeaconCorrection(measuredPower: -255, offset: -255, deviation: 0, exitTime: 0.01)
        let most = BeaconCorrection(measuredPower: 255, offset: 255, deviation: 100, exitTime: 86_400)
        #expect(kept(least) == least && kept(most) == most)
        #expect(
            kept(BeaconCorrection(measuredPower: -255.5, offset: -255.5, deviation: -0.5, exitTime: 0.005)) == least)
        #expect(
            kept(BeaconCorrection(measuredPower: 255.5, offset: 255.5, deviation: 100.5, exitTime: 86_400.5)) == most)
        #expect(kept(BeaconCorrection()) == BeaconCorrection())
    }

    @Test(
        "a dwell time is a year at most", arguments: [(-1.0, 0.0), (0, 0), (31_536_000, 31_536_000), (4e7, 31_536_000)])
    func dwell(given: Double, kept: Double) {
        var settings = RangingSettings()
        let constraint = BeaconConstraint(uuid: museum)
        settings.regions = [
            BeaconRegion(identifier: "a", constraint: constraint, dwell: given),
            BeaconRegion(identifier: "b", constraint: constraint),
        ]
        #expect(settings.validated.regions.map(\.dwell) == [kept, nil])
    }

    @Test("a flood begins with two identities or addresses, and with two pairs, and not only after thousands")
    func flood() {
        func kept(_ addresses: Int, _ identities: Int, _ pairs: Int) -> [Int?] {
            var settings = RangingSettings()
            settings.flood.identitiesPerAddress = identities
            settings.flood.addressesPerIdentity = addresses
            settings.flood.pairsPerUUID = pairs
            let flood = settings.validated.flood
            return [flood.addressesPerIdentity, flood.identitiesPerAddress, flood.pairsPerUUID]
        }
        #expect(kept(1, 1, 0) == [2, 2, 1] && kept(2, 2, 1) == [2, 2, 1])
        #expect(kept(1000, 1000, 10_000) == [1000, 1000, 10_000])
        #expect(kept(1001, 1001, 10_001) == [1000, 1000, 10_000])
    }
}
