import Foundation
import Testing
import TestSupport

/// Other people's controllers and hosts: rootcanal, a strict controller emulator that aborts on a command of the wrong
/// length, and Bumble's host as advertiser and scanner.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peers.absence == nil, Comment(rawValue: Peers.absence ?? "rootcanal and Bumble are here")))
struct ControllerTests {
    static let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

    /// A controller without extended scanning cannot hear extended packets.
    private static let pairs: [(scanner: CommandFamily, advertiser: CommandFamily)] = [
        (.legacy, .legacy), (.extended, .legacy), (.extended, .extended),
    ]

    @Test("we hear all that Bumble's host advertises", arguments: pairs)
    func hears(scanner: CommandFamily, advertiser: CommandFamily) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("all.btsnoop")
        let air = try await RootcanalAir()
        let beacon = try await air.advertise(uuid: Self.uuid, major: 513, minor: 65535, power: -56, advertiser)
        let scan = try RunningProgram(
            Programs.beaconctl, ["sightings", "--source", air.source(scanner), "--format", "json", "--capture", file])
        // A controller that left out what it has reported already would never get there.
        try await scan.waitUntil("thirty sightings") { $0.lines.count >= 30 }
        let start = ContinuousClock.now
        let end = try await scan.stop(with: SIGINT)
        #expect(end.status == 0)
        // Every report of the controller is listed, but for those that come while the scan is being stopped: one, or
        // ten a second where that takes long.
        let stopping = 1 + Int((ContinuousClock.now - start) / .milliseconds(100))
        let (listed, reports) = (end.lines.count, try Self.frames(in: file))
        #expect((listed...listed + stopping).contains(reports), "\(listed) of \(reports)")
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

    /// How many iBeacon frames a capture holds.
    private static func frames(in file: String) throws -> Int {
        let octets = try Data(contentsOf: URL(fileURLWithPath: file))
        let frame = Data([0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15])
        var (count, rest) = (0, octets[...])
        while let found = rest.range(of: frame) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
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
        // It has stopped the advertising: while ten of another's are heard, which comes later, there is none of ours.
        let other = try await air.advertise(uuid: Self.uuid, major: 7, minor: 7, power: -56, .legacy)
        func majors() throws -> [Int] { try decodeLines(scan.lines.dropFirst(), as: Heard.self).map(\.major) }
        try await scan.waitUntil("it hears ten of another") { _ in try majors().count { $0 == 7 } >= 10 }
        #expect(try majors().drop { $0 != 7 }.allSatisfy { $0 == 7 })
        _ = try await other.stop()
    }

    @Test("our scanner hears our advertiser, while both record", arguments: CommandFamily.allCases)
    func ours(family: CommandFamily) async throws {
        try await hearOurs(family, in: TemporaryFolder())
    }

    @Test(
        "btmon reads what our advertiser records",
        .enabled(if: Programs.installed("btmon") != nil, "btmon is not installed"), arguments: CommandFamily.allCases)
    func btmon(family: CommandFamily) async throws {
        let folder = try TemporaryFolder()
        try await hearOurs(family, in: folder)
        let words = try await RunningProgram.run("btmon", ["-r", folder.path("advertiser.btsnoop")])
        #expect(
            words.output.contains(family == .legacy ? "LE Set Advertising Data" : "LE Set Extended Advertising Data"))
        #expect(words.output.contains("Enable"))
    }

    /// Our scanner hears five of our advertiser, and both record.
    private func hearOurs(_ family: CommandFamily, in folder: TemporaryFolder) async throws {
        let air = try await RootcanalAir()
        let advertise = try RunningProgram(
            Programs.beaconAdvertise,
            ["--source", air.source(family), "--minor", "9", "--capture", folder.path("advertiser.btsnoop")])
        let scan = try await RunningProgram.run(
            Programs.beaconctl,
            [
                "sightings", "--source", air.source(family), "--limit", "5", "--format", "csv", "--capture",
                folder.path("scanner.btsnoop"),
            ])
        #expect(scan.status == 0, "\(scan.errors)")
        #expect(rows(ofCSV: scan.lines).map { $0["minor"] } == Array(repeating: "9", count: 5))
        #expect(try await advertise.stop().status == 0)
        #expect(air.death == nil)
    }

    @Test("a controller that does not answer gives a message, and 1", arguments: [false, true])
    func frozen(advertising: Bool) async throws {
        let air = try await RootcanalAir()
        try await air.freeze()
        let end =
            advertising
            ? try await RunningProgram.run(
                Programs.beaconAdvertise, ["--source", air.source(.extended)])
            : try await RunningProgram.run(
                Programs.beaconctl, ["sightings", "--source", air.source(.extended), "--format", "json"])
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
        let end = try await scan.stop()
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
        let end = try await scan.wait()
        #expect(end.status == 1)
        #expect(end.errors.contains(air.source(.extended)))
        _ = beacon
    }
}
