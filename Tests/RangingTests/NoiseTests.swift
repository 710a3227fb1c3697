import Beacon
import Ranging
import Testing

/// Hours that take seconds to compute: apart from what is quick.
@Suite("Noise")
struct NoiseTests {
    @Test("between two equal beacons, an hour of noise changes the nearest twice at most", arguments: 1...100)
    func equal(seed: UInt64) {
        let sightings = pair(seed: seed, until: 3600) { _ in (-70, -70) }
        #expect(run(sightings, until: 3600).switches.count <= 2)
        #expect(run(sightings, until: 3600, interval: 0.5).switches.count <= 2)
    }
}
