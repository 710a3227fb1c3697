import Foundation
import Testing
import TestSupport

/// `beacon-advertise` on emulated airs: verification, scenes, files, calibration.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AdvertiserTests {
    static let payload = "02 01 1A 1A FF 4C 00 02 15 63 6F 3F 8F 64 91 4B EE 95 F7 D8 CC 64 A8 63 B5 00 00 00 00 C8"

    @Test("--verify-with says how it is heard, and it stays on the air")
    func verified() async throws {
        let advertise = try RunningProgram(Programs.beaconAdvertise, ["--source", "sim", "--verify-with", "sim"])
        try await advertise.waitUntil("the verdict") { !$0.lines.isEmpty }
        let end = try await advertise.stop()
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.hasPrefix("verified by sim: heard "))
        #expect(end.output.contains("all octets as sent: \(Self.payload)"))
        #expect(end.errors.contains("SIGTERM: off the air\n"), "\(end.errors)")
    }

    @Test("--verify-with and a shorter --duration: what was heard until then counts, and nothing heard is a failure")
    func verifiedInShort() async throws {
        let heard = try await RunningProgram.listenShortly(
            Programs.beaconAdvertise, ["--source", "sim", "--verify-with", "sim", "--duration", "4"]
        ) { $0.status == 0 }
        #expect(heard.status == 0, "\(heard.errors)")
        #expect(heard.output.hasPrefix("verified by sim: heard "))
        let folder = try TemporaryFolder()
        // Two airs: nobody hears the other, and on this one another beacon has its controller's address.
        try "repeat: true\nbeacons: [{uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5, minor: 9}]\n".write(
            toFile: "\(folder)/s.yaml", atomically: false, encoding: .utf8)
        let air = "h4:unix:\(folder)/air"
        let play = try RunningProgram(Programs.beaconAdvertise, ["play", "\(folder)/s.yaml", "--air", air])
        try await play.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        let unheard = try await RunningProgram.run(
            Programs.beaconAdvertise, ["--source", "sim", "--verify-with", air, "--duration", "2"])
        #expect(unheard.status == 1 && unheard.output.isEmpty)
        #expect(unheard.errors.contains("not verified by \(air): "), "\(unheard.errors)")
        #expect(try await play.stop().status == 0)
    }

    @Test("a second air at a socket is refused, and one that was left behind is not")
    func takenAir() async throws {
        let folder = try TemporaryFolder()
        try "repeat: true\nbeacons: [{uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5}]\n".write(
            toFile: "\(folder)/s.yaml", atomically: false, encoding: .utf8)
        let words = ["play", "\(folder)/s.yaml", "--air", "h4:unix:\(folder)/air"]
        let first = try RunningProgram(Programs.beaconAdvertise, words)
        try await first.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        let second = try await RunningProgram.run(Programs.beaconAdvertise, words)
        #expect(second.status == 1 && second.errors.contains("another program listens there"), "\(second.errors)")
        #expect(first.status == nil)
        _ = try await first.stop(with: SIGKILL)
        let third = try RunningProgram(Programs.beaconAdvertise, words)
        try await third.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        #expect(try await third.stop().status == 0)
        try "words".write(toFile: "\(folder)/file", atomically: false, encoding: .utf8)
        let file = try await RunningProgram.run(
            Programs.beaconAdvertise, words.dropLast() + ["h4:unix:\(folder)/file"])
        #expect(file.status == 1 && file.errors.contains("there is something that is no socket"), "\(file.errors)")
        #expect(try String(contentsOfFile: "\(folder)/file", encoding: .utf8) == "words")
    }

    @Test("every signal that ends it takes it off the air in order, and is told", arguments: [
        (SIGHUP, "SIGHUP"), (SIGTERM, "SIGTERM"), (SIGINT, "SIGINT"),
    ])
    func signals(number: Int32, name: String) async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder)/all.btsnoop"
        let advertise = try RunningProgram(Programs.beaconAdvertise, ["--source", "sim", "--capture", file])
        try await advertise.waitUntil("it advertises") { $0.errors.contains("advertising") }
        let end = try await advertise.stop(with: number)
        #expect(end.status == 0 && end.errors.contains("\(name): off the air"), "\(end.errors)")
        // The last LE Set Extended Advertising Enable is the one that switches off.
        let bytes = Array(FileManager.default.contents(atPath: file) ?? Data())
        let enable: [UInt8] = [0x01, 0x39, 0x20]
        let last = try #require(bytes.indices.last { bytes[$0...].starts(with: enable) })
        #expect(bytes[last...].dropFirst(4).first == 0)
    }

    @Test("a SIGHUP that is ignored stays ignored")
    func nohup() async throws {
        let advertise = try RunningProgram("nohup", [Programs.beaconAdvertise, "--source", "sim"])
        try await advertise.waitUntil("it advertises") { ($0.errors + $0.output).contains("advertising") }
        // It is not handled, and does not end it either: of two signals the kernel delivers this one first.
        #expect(!advertise.handles(SIGHUP))
        advertise.signal(SIGHUP)
        #expect(try await advertise.stop().status == 0)
        #expect(!advertise.errors.contains("SIGHUP"))
    }

    @Test(
        "--verify-with on rootcanal's air", .enabled(if: Peers.absence == nil, "\(Peers.absence ?? "")"),
        arguments: CommandFamily.allCases)
    func verifiedByOthers(family: CommandFamily) async throws {
        let air = try await RootcanalAir()
        let advertise = try RunningProgram(
            Programs.beaconAdvertise, ["--source", air.source(family), "--verify-with", air.source(.extended)])
        try await advertise.waitUntil("the verdict") { !$0.lines.isEmpty }
        #expect(advertise.lines.first?.contains("all octets as sent: \(Self.payload)") == true)
        #expect(try await advertise.stop().status == 0)
        #expect(air.death == nil)
    }

    @Test("a scene of many beacons is heard completely by whoever connects to its air")
    func scene() async throws {
        let folder = try TemporaryFolder()
        let beacons = (1...50).map {
            "  - {uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5, minor: \($0), position: [\($0 % 10 + 1), 0]}"
        }
        try "repeat: true\nbeacons:\n\(beacons.joined(separator: "\n"))\n".write(
            toFile: "\(folder)/fifty.yaml", atomically: false, encoding: .utf8)
        let place = "h4:unix:\(folder)/air"
        let play = try RunningProgram(Programs.beaconAdvertise, ["play", "\(folder)/fifty.yaml", "--air", place])
        try await play.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing 50 beacons") } }

        let range = try RunningProgram(Programs.beaconctl, ["range", "--source", place, "--format", "json"])
        try await range.waitUntil("all fifty have been heard") { program in
            let lines = program.lines
            return (1...50).allSatisfy { minor in lines.contains { $0.contains("\"minor\":\(minor),") } }
        }
        #expect(try await range.stop(with: SIGINT).status == 0)
        let end = try await play.stop()
        #expect(end.status == 0)
        #expect(end.errors.contains("ended after"))
    }

    @Test("a scene is spread over all the controllers that are named")
    func spread() async throws {
        let folder = try TemporaryFolder()
        let beacons = (1...3).map { "  - {uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5, minor: \($0)}" }
        try "repeat: true\nbeacons:\n\(beacons.joined(separator: "\n"))\n".write(
            toFile: "\(folder)/s.yaml", atomically: false, encoding: .utf8)
        let air = "h4:unix:\(folder)/air"
        let stage = try RunningProgram(Programs.beaconAdvertise, ["play", "\(folder)/s.yaml", "--air", air])
        try await stage.waitUntil("the air is there") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        let end = try await RunningProgram.run(
            Programs.beaconAdvertise,
            ["play", "\(folder)/s.yaml", "--source", air, "--source", "sim", "--duration", "2"])
        #expect(end.status == 0, "\(end.errors)")
        // Three on each.
        #expect(end.errors.contains("places on the air: 6"), "\(end.errors)")
        #expect(try await stage.stop().status == 0)
    }

    @Test("what a scene changes is heard: identities and malformed frames")
    func changes() async throws {
        let folder = try TemporaryFolder()
        try """
            duration_s: 4
            repeat: true
            beacons:
              - uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5
                minor: 1
                script: [{at_s: 2, minor: 2, new_address: true}]
              - payload: 1A FF 4C 00 02 15 63 6F
            """.write(toFile: "\(folder)/s.yaml", atomically: false, encoding: .utf8)
        let place = "h4:unix:\(folder)/air"
        let play = try RunningProgram(Programs.beaconAdvertise, ["play", "\(folder)/s.yaml", "--air", place])
        try await play.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        let scan = try RunningProgram(Programs.beaconctl, ["sightings", "--source", place, "--format", "csv"])
        try await scan.waitUntil("both identities") { program in
            let minors = Set(rows(ofCSV: program.lines).compactMap { $0["minor"] })
            return minors.isSuperset(of: ["1", "2"])
        }
        let end = try await scan.stop(with: SIGINT)
        #expect(end.status == 0)
        #expect(!end.errors.contains("malformed 0,"), "\(end.errors)")
        #expect(try await play.stop().status == 0)
    }

    @Test("every malformed frame of the project's scene leaves a scanner unharmed, which hears the iBeacons among them")
    func malformed() async throws {
        let folder = try TemporaryFolder()
        let place = "h4:unix:\(folder)/air"
        let play = try RunningProgram(
            Programs.beaconAdvertise, ["play", "\(Programs.project)/Tests/Scenes/malformed.yaml", "--air", place])
        try await play.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        let scan = try RunningProgram(Programs.beaconctl, ["sightings", "--source", place, "--format", "csv"])
        // The others are on the air as often as these.
        try await scan.waitUntil("each iBeacon was heard ten times") { program in
            let minors = rows(ofCSV: program.lines).compactMap { $0["minor"] }
            return (1...6).allSatisfy { minor in minors.count { $0 == "\(minor)" } >= 10 }
        }
        let listed = try await scan.stop(with: SIGINT)
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(Set(rows(ofCSV: listed.lines).compactMap { $0["minor"] }) == ["1", "2", "3", "4", "5", "6"])

        let daemon = try RunningProgram(
            Programs.beacond, ["--source", place, "--state-dir", folder.path])
        try await daemon.waitUntil("it has seen a beacon enter") { program in
            program.errorLines.contains { $0.contains("nearest") || $0.contains("entered") }
        }
        #expect(try await daemon.stop().status == 0)
        #expect(try await play.stop().status == 0)
    }

    @Test("a scene's mistakes are wrong usage, with their lines")
    func sceneMistakes() async throws {
        let folder = try TemporaryFolder()
        try "beacons:\n  - uuid: 12\n  - minor: 70000\n".write(
            toFile: "\(folder)/bad.yaml", atomically: false, encoding: .utf8)
        let end = try await RunningProgram.run(Programs.beaconAdvertise, ["play", "\(folder)/bad.yaml"])
        #expect(end.status == 2)
        #expect(end.errors.contains("bad.yaml:2:") && end.errors.contains("bad.yaml:3:"), "\(end.errors)")
    }

    @Test("a file says what is sent, options say it better, and systemd is told when it is on the air")
    func file() async throws {
        let folder = try TemporaryFolder()
        try "source: sim\nminor: 7\nmeasured_power: -61\n".write(
            toFile: "\(folder)/lobby.yaml", atomically: false, encoding: .utf8)
        let notices = try NotifySocket(path: "\(folder)/notify")
        let advertise = try RunningProgram(
            Programs.beaconAdvertise, ["--config", "\(folder)/lobby.yaml", "--major", "3"],
            environment: ["NOTIFY_SOCKET": notices.path])
        try await advertise.waitUntil("it advertises") { $0.errors.contains("advertising") }
        #expect(advertise.errors.contains("major 3 minor 7, -61 dBm"))
        try await advertise.waitUntil("systemd is told") { _ in notices.received().contains("READY=1") }
        #expect(try await advertise.stop().status == 0)
        #expect(notices.received().contains("STOPPING=1"))
    }

    @Test("calibrate turns another device's result into the option to use")
    func calibrate() async throws {
        let json = """
            {"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":2,"measured_power_advertised":-56,\
            "samples":287,"distance_m":1,"measured_power":-61,"low":-63,"high":-59,"scanner":"hci1"}
            """
        let end = try await RunningProgram.run(Programs.beaconAdvertise, ["calibrate", "-"], input: .text(json))
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("5 dB too much"))
        #expect(end.output.contains("--major 1 --minor 2 --measured-power -61"))
        // What it tells people to use, they paste.
        let use = try #require(end.lines.first { $0.hasPrefix("use: beacon-advertise ") })
        let pasted = try await RunningProgram.run(
            Programs.beaconAdvertise, use.split(separator: " ").dropFirst(2).map(String.init) + ["--dry-run"])
        #expect(pasted.status == 0 && pasted.output.contains("00 01 00 02 C3"), "\(use)\n\(pasted.errors)")
        let wrong = try await RunningProgram.run(Programs.beaconAdvertise, ["calibrate", "-"], input: .text("{}"))
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("beaconctl calibrate"))

        let guided = try RunningProgram(
            Programs.beaconAdvertise,
            ["calibrate", "--source", "sim", "--major", "1", "--minor", "2"], input: .pipe)
        try await guided.waitUntil("it says what to do") { $0.errors.contains("--format json\n") }
        let told = try #require(guided.errorLines.first { $0.contains("beaconctl calibrate --source hci0 ") })
        let words = told.split(separator: " ").dropFirst().map { $0 == "hci0" ? "file:/nonexistent" : String($0) }
        let listening = try await RunningProgram.run(Programs.beaconctl, words)
        #expect(listening.status == 1 && listening.errors.contains("/nonexistent"), "\(told)\n\(listening.errors)")
        try guided.write(json)
        let guidedEnd = try await guided.wait()
        #expect(guidedEnd.status == 0, "\(guidedEnd.errors)")
        #expect(guidedEnd.output.contains("--measured-power -61"))
    }
}

extension AdvertiserTests {
    @Test("what beaconctl calibrate prints is what beacon-advertise calibrate reads")
    func calibratesTogether() async throws {
        let folder = try TemporaryFolder()
        // It announces 6 dB more than it sends: -56 dBm at full power.
        try """
            repeat: true
            beacons:
              - uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5
                measured_power: -56
                power_dbm: 8
                script: [{at_s: 0, power_dbm: 2}]
            """.write(toFile: "\(folder)/s.yaml", atomically: false, encoding: .utf8)
        let place = "h4:unix:\(folder)/air"
        let play = try RunningProgram(Programs.beaconAdvertise, ["play", "\(folder)/s.yaml", "--air", place])
        try await play.waitUntil("it plays") { $0.errorLines.contains { $0.hasPrefix("playing") } }
        // Without --duration it goes on until there are enough readings.
        let result = try await RunningProgram.run(
            Programs.beaconctl, ["calibrate", "--source", place, "--distance", "1", "--format", "json"])
        #expect(result.status == 0, "\(result.errors)")
        let end = try await RunningProgram.run(
            Programs.beaconAdvertise, ["calibrate", "-"], input: .text(result.output))
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output.contains("--measured-power -62"), "\(end.output)")
        #expect(end.output.contains("6 dB too much"))
        #expect(try await play.stop().status == 0)
    }
}
