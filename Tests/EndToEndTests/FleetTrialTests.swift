import Foundation
import TestSupport
import Testing

/// `tools/fleet-test --short`: five daemons and two resolvers on the air of one made-up building.
@Suite("A whole fleet on one computer", .serialized, .timeLimit(.minutes(10)))
struct FleetTrialTests {
    private static let clockShift = ClockShift.library
    private static let python = Programs.installed("python3")

    @Test(
        "answers the same twice, loses nothing, and gets over kills, outages, wrong clocks and blindness",
        .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"),
        .enabled(if: clockShift != nil, "\(ClockShift.missing)"),
        .enabled(if: python != nil, "python3 is not installed"))
    func trial() async throws {
        let broker = try #require(Mosquitto.program)
        let bin = URL(filePath: Programs.beacond).deletingLastPathComponent().path
        let end = try await RunningProgram.run(
            try #require(Self.python),
            [
                "-B", Programs.project + "/tools/fleet/trial.py", "--short", "--bin", bin, "--mosquitto", broker,
                "--clock-shift", try #require(Self.clockShift),
            ] + (Sanitizer.leavesMemory ? [] : ["--unjudged-memory"]), within: .seconds(540))
        #expect(end.status == 0, "\(end.output)\n\(end.errors)")
    }
}
