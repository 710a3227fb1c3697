import RadioEmulation
import Testing

@Suite struct MotionTests {
    private static let path: [Motion.Waypoint] = [
        .init(.zero, Position(0, 0)), .init(.seconds(2), Position(0, 0)), .init(.seconds(6), Position(8, 0)),
    ]

    @Test("each instant has its place", arguments: [
        (Motion.Repetition.stay, 1.0, 0.0), (.stay, 4, 4), (.stay, 6, 8), (.stay, 100, 8),
        (.fromStart, 5, 6), (.fromStart, 7, 0), (.fromStart, 10, 4),
        (.backAndForth, 6, 8), (.backAndForth, 8, 4), (.backAndForth, 11, 0), (.backAndForth, 16, 4),
    ])
    func placeAtAnInstant(_ repetition: Motion.Repetition, _ seconds: Double, _ x: Double) {
        let motion = Motion(Self.path, repetition: repetition)
        #expect(motion.duration == .seconds(6))
        #expect(abs(motion.position(at: .seconds(seconds)).x - x) < 1e-9)
    }

    @Test("a longer pass waits at the end")
    func aLongerPassWaitsAtTheEnd() {
        let motion = Motion(Self.path, repetition: .backAndForth, duration: .seconds(10))
        #expect(motion.position(at: .seconds(9)).x == 8)
        #expect(motion.position(at: .seconds(13)).x == 8)
        #expect(motion.position(at: .seconds(16)).x == 4)
    }

    @Test("without waypoints it is at the origin")
    func withoutWaypointsItIsTheOrigin() {
        #expect(Motion([]).position(at: .seconds(5)) == Position(0, 0))
        #expect(Motion.fixed(Position(1, 2, 3)).position(at: .seconds(-1)) == Position(1, 2, 3))
    }
}
