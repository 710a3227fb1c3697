import Foundation
import Testing
import TestSupport

/// Other people's controllers and hosts: rootcanal, a strict controller emulator that aborts on a command of the wrong
/// length, and Bumble's host as advertiser and scanner.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: Peers.absence == nil, Comment(rawValue: Peers.absence ?? "rootcanal and Bumble are here")))
struct ControllerTests {
    static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

    @Test("we hear what Bumble's host advertises", arguments: CommandFamily.allCases, CommandFamily.allCases)
    func hears(scanner: CommandFamily, advertiser: CommandFamily) async throws {
        // A controller without extended scanning cannot hear extended packets.
        guard !(scanner == .legacy && advertiser == .extended) else { return }
        let air = try await RootcanalAir()
        let beacon = try await air.advertise(uuid: Self.uuid, major: 513, minor: 65535, power: -56, advertiser)
        let scan = try RunningProgram(
            Programs.beaconctl, ["sightings", "--source", air.source(scanner), "--format", "json"])
        try await scan.waitUntil("the first sighting") { !$0.lines.isEmpty }
        let before = scan.lines.count
        try await Task.sleep(for: .seconds(3))
        let heard = scan.lines.count - before
        #expect(heard >= 9, "an advertisement every 100 ms for 3 s gave \(heard) sightings")

        let end = try await scan.stop(with: SIGINT)
        #expect(end.status == 0)
        for sighting in try decodeLines(end.lines, as: SightingLine.self) {
            #expect(sighting.uuid == Self.uuid)
            #expect(sighting.major == 513)
            #expect(sighting.minor == 65535)
            #expect(sighting.measuredPower == -56)
            #expect(sighting.address == "f0:f1:f2:f3:f4:f5")
            #expect(sighting.addressType == "random")
        }
        #expect(try await beacon.stop().status == 0)
        #expect(air.death == nil)
    }

    private struct Heard: Decodable {
        var uuid: String
        var major: Int
        var minor: Int
        var measuredPower: Int
        var connectable: Bool
        var data: String
    }

    @Test("Bumble's host hears what we advertise", arguments: CommandFamily.allCases, CommandFamily.allCases)
    func isHeard(advertiser: CommandFamily, scanner: CommandFamily) async throws {
        let air = try await RootcanalAir()
        let scan = try await air.scan(scanner)
        let advertise = try RunningProgram(
            Programs.beaconAdvertise, ["--source", air.source(advertiser), "--major", "258", "--minor", "3"])
        try await scan.waitUntil("it hears three") { $0.lines.count > 3 }
        let heard = try decodeLines(scan.lines.dropFirst(), as: Heard.self)
        let expected = "02011a1aff4c000215" + Self.uuid.replacing("-", with: "") + "01020003c8"
        #expect(heard.allSatisfy { $0.data == expected && !$0.connectable && $0.measuredPower == -56 })

        let end = try await advertise.stop(with: SIGINT)
        #expect(end.status == 0, "\(end.errors)")
        #expect(air.death == nil)
        // It has stopped the advertising: after what was still on its way, silence.
        try await Task.sleep(for: .milliseconds(500))
        let after = scan.lines.count
        try await Task.sleep(for: .seconds(1))
        #expect(scan.lines.count == after)
    }

    @Test("our scanner hears our advertiser, while both record", arguments: CommandFamily.allCases)
    func ours(family: CommandFamily) async throws {
        let folder = try temporaryFolder("h4")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let air = try await RootcanalAir()
        let advertise = try RunningProgram(
            Programs.beaconAdvertise,
            ["--source", air.source(family), "--minor", "9", "--capture", "\(folder)/a.btsnoop"])
        let scan = try await RunningProgram.run(
            Programs.beaconctl,
            [
                "sightings", "--source", air.source(family), "--limit", "5", "--format", "csv", "--capture",
                "\(folder)/s.btsnoop",
            ], within: .seconds(30))
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(rows(ofCSV: scan.lines).allSatisfy { $0["minor"] == "9" })
        #expect(try await advertise.stop().status == 0)
        #expect(air.death == nil)

        if let btmon = Programs.installed("btmon") {
            let words = try await RunningProgram.run(btmon, ["-r", "\(folder)/a.btsnoop"])
            #expect(
                words.output.contains(
                    family == .legacy ? "LE Set Advertising Data" : "LE Set Extended Advertising Data"))
            #expect(words.output.contains("Enable"))
        }
    }

    @Test("a controller that does not answer gives a message, and 1", arguments: [false, true])
    func frozen(advertising: Bool) async throws {
        let air = try await RootcanalAir()
        try await air.freeze()
        let began = ContinuousClock.now
        let end =
            advertising
            ? try await RunningProgram.run(
                Programs.beaconAdvertise, ["--source", air.source(.extended)], within: .seconds(20))
            : try await RunningProgram.run(
                Programs.beaconctl, ["sightings", "--source", air.source(.extended), "--format", "json"],
                within: .seconds(20))
        // Five seconds are promised; a loaded machine may need some of its own to start a program.
        #expect(ContinuousClock.now - began < .seconds(8))
        #expect(end.status == 1)
        #expect(end.errors.contains(air.source(.extended)))
        #expect(end.errors.lowercased().contains("answer"), "\(end.errors)")
        #expect(end.output.isEmpty)
    }

    @Test("a controller that falls silent does not keep a scan from ending")
    func silent() async throws {
        let air = try await RootcanalAir()
        let beacon = try await air.advertise(uuid: Self.uuid, major: 1, minor: 1, power: -56, .legacy)
        let scan = try RunningProgram(
            Programs.beaconctl, ["sightings", "--source", air.source(.extended), "--format", "csv"])
        try await scan.waitUntil("it lists") { $0.lines.count > 2 }
        try await air.freeze()
        let end = try await scan.stop(within: .seconds(15))
        #expect(end.status == 0, "\(end.errors)")
        _ = beacon
    }

    @Test("a controller that goes away ends a command with a message, and 1")
    func unplugged() async throws {
        let air = try await RootcanalAir()
        let beacon = try await air.advertise(uuid: Self.uuid, major: 1, minor: 1, power: -56, .legacy)
        let scan = try RunningProgram(
            Programs.beaconctl, ["sightings", "--source", air.source(.extended), "--format", "csv"])
        try await scan.waitUntil("it lists") { $0.lines.count > 2 }
        try await air.stop()
        let end = try await scan.wait(within: .seconds(20))
        #expect(end.status == 1)
        #expect(end.errors.contains(air.source(.extended)))
        _ = beacon
    }
}
