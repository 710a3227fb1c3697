import Beacon
import HCI
import Health
import RadioEmulation
import Testing

/// The same scenes by the whole way of the data: beacons on the emulated air, controllers of two scanners, HCI events.
@Suite(.timeLimit(.minutes(10))) struct RadioPathTests {
    /// Beacon 1 is 3 m from one scanner and 13 m from the other; beacons 2 to 4 stay as they are.
    private static let others = """
        seed: 4
        propagation: {shadowing_db: 1.5, loss: 0.3}
        beacons:
          - {uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096, major: 1, minor: 2, position: [8, 3], interval_ms: 500}
          - {uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096, major: 1, minor: 3, position: [2, -4], interval_ms: 1000}
          - {uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096, major: 1, minor: 4, position: [14, 2], interval_ms: 500}
        """

    private static let beacon = "{uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096, major: 1, minor: 1, "
    private static let before = "position: [0, 3], interval_ms: 500, address: c0:be:ac:00:00:01, until_s: 5400}"

    /// What comes after an hour and a half, beside or instead of the beacon.
    private static let scenes: [(after: [String], told: HealthProblem.Kind)] = [
        ([], .missing),
        (
            ["position: [0, 3], interval_ms: 500, address: c0:be:ac:00:00:01, level_at_1m_dbm: -75, from_s: 5400}"],
            .weak
        ),
        (["position: [0, 3], interval_ms: 1200, address: c0:be:ac:00:00:01, from_s: 5400}"], .slow),
        (["position: [15, 3], interval_ms: 500, address: c0:be:ac:00:00:01, from_s: 5400}"], .moved),
        (
            [
                "position: [0, 3], interval_ms: 500, address: c0:be:ac:00:00:01, from_s: 5400}",
                "position: [1, 2], interval_ms: 400, address: c0:be:ac:00:00:09, from_s: 5400}",
            ], .impostor
        ),
        (
            [
                "position: [0, 3], interval_ms: 500, address: c0:be:ac:00:00:01, measured_power: -70, level_at_1m_dbm: "
                    + "-59, from_s: 5400}"
            ], .claim
        ),
    ]

    @Test("what changes on the air is told within ten minutes, and of no other beacon", arguments: scenes.indices)
    func scene(number: Int) throws {
        let scene = Self.scenes[number]
        let lines = ([Self.before] + scene.after).map { "  - \(Self.beacon)\($0)" }
        let scenario = try Scenario(yaml: ([Self.others] + lines).joined(separator: "\n"), file: "scene")
        var emulation = Emulation(scenario)
        let scanners = [Position(0, 0), Position(13, 0)].map { emulation.attach(motion: .fixed($0)) }
        for scanner in scanners {
            for command in [
                Command.reset, .setEventMask(), .leSetEventMask(), .leSetScanParameters(ScanParameters()),
                .leSetScanEnable(true),
            ] { _ = emulation.send(command.packet, to: scanner, at: .zero) }
        }
        var watch = HealthWatch(learning: 60)
        var decoder = SightingDecoder()
        var changes: [(second: Int, change: HealthChange)] = []
        for second in stride(from: 10, through: 6060, by: 10) {
            var sightings: [Sighting] = []
            for delivery in emulation.advance(to: .seconds(second)) {
                let source = SourceID(place: delivery.controller == scanners[0] ? 0 : 1)
                let time = Timestamp(seconds: delivery.time / .seconds(1))
                decoder.decode(packet: delivery.packet.span.bytes, at: time, source: source) {
                    sightings.append(copy $0)
                }
            }
            let news = watch.take(
                sightings, at: Timestamp(seconds: Double(second)), sources: [(0, "pi-1", false), (1, "pi-2", false)])
            changes += news.map { (second, $0) }
        }
        let told = try #require(changes.first { $0.change.problem.kind == scene.told }, "\(changes)")
        #expect((5400...6000).contains(told.second))
        #expect(
            changes.allSatisfy { $0.change.beacon.minor == 1 && $0.change.problem.kind == scene.told }, "\(changes)")
    }
}
