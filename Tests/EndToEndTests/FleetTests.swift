import Foundation
import TestSupport
import Testing

@Suite(
    "Rooms at a broker, by several daemons", .serialized,
    .enabled(if: Mosquitto.program != nil, "\(Mosquitto.missing)"), .timeLimit(.minutes(10)))
struct FleetTests {
    @Test("follow a beacon, survive the kill of a resolver, and are unknown where the scanner is killed")
    func rooms() async throws {
        let hall = try FleetHall()
        let broker = try await hall.broker.start()
        let subscriber = try hall.broker.subscriber("beacond/rooms/#", "beacond/fleet/resolvers/#")
        var scanners = try [hall.scanner(1, visits: [0, 20]), hall.scanner(2, visits: [20, 0])]
        let first = try hall.resolver("one")
        try await subscriber.waitUntil("each beacon is in the room of the scanner beside it") {
            FleetHall.room(of: 1, $0.lines) == "Hall 1" && FleetHall.room(of: 2, $0.lines) == "Hall 2"
        }

        // The second learns beside the first, and goes on where that is killed. Each tells of the other room in its
        // turn.
        let second = try hall.resolver("two")
        try await subscriber.waitUntil("the second is there") {
            $0.lines.contains { $0.hasSuffix("resolvers/two learning") }
        }
        try await subscriber.waitUntil("the first has told of the change") {
            FleetHall.room(of: 1, $0.lines) == "Hall 2" && FleetHall.room(of: 2, $0.lines) == "Hall 1"
        }
        _ = try await first.stop(with: SIGKILL)
        try await subscriber.waitUntil("the second goes on") {
            $0.lines.contains { $0.hasSuffix("resolvers/two answering") }
        }
        try await subscriber.waitUntil("it has told of the way back") {
            FleetHall.room(of: 1, $0.lines) == "Hall 1" && FleetHall.room(of: 2, $0.lines) == "Hall 2"
        }

        for scanner in scanners { _ = try await scanner.stop(with: SIGKILL) }
        try await subscriber.waitUntil("nobody can hear them") {
            [1, 2].allSatisfy { [lines = $0.lines] in
                FleetHall.answer(of: $0, lines)?.contains(#""unknown":"blind""#) == true
            }
        }
        scanners = try [hall.scanner(1, visits: [0])]
        try await subscriber.waitUntil("one scanner is back, and hears what is beside it") {
            FleetHall.room(of: 1, $0.lines) == "Hall 1"
        }
        for scanner in scanners { _ = try await scanner.stop() }
        #expect(try await second.stop().status == 0)
        try await subscriber.waitUntil("an orderly end leaves no presence") {
            $0.lines.last { $0.contains("resolvers/two") }?.hasSuffix("resolvers/two ") == true
        }
        _ = try await broker.stop()
    }

    @Test("a room is drawn and taught at the broker, which keeps both until they are forgotten")
    func taught() async throws {
        let hall = try FleetHall()
        let broker = try await hall.broker.start()
        let subscriber = try hall.broker.subscriber("beacond/fleet/#", "beacond/+/levels")
        let plan = try temporaryFolder("fleet") + "/plan.yaml"
        try "rooms:\n- {room: قاعة, from: [0, 0], to: [8, 6]}\n".write(toFile: plan, atomically: true, encoding: .utf8)
        let drawn = try await hall.fleet("plan", plan)
        #expect(drawn.status == 0, "\(drawn.errors)")
        try await subscriber.waitUntil("the plan is there") {
            $0.lines.contains { $0.contains("fleet/plan {") && $0.contains("قاعة") }
        }

        let scanner = try hall.scanner(1, visits: [0])
        try await subscriber.waitUntil("the scanner hears the beacon") {
            $0.lines.contains { $0.contains("beacond/pi-1/levels ") && $0.contains("[1,1,") }
        }
        let lesson = try await hall.fleet("teach", "قاعة", "--beacon", "1.1", "--duration", "30")
        #expect(lesson.status == 0, "\(lesson.errors)")
        #expect(lesson.errors.contains("قاعة is taught"))
        try await subscriber.waitUntil("the lesson is there") {
            $0.lines.contains {
                $0.contains("fleet/taught/") && $0.contains(#""room":"قاعة","floor":0,"spots":[{"pi-1":"#)
            }
        }
        _ = try await scanner.stop()

        let forgotten = try await hall.fleet("teach", "قاعة", "--forget")
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        #expect(try await hall.fleet("plan", "--forget").status == 0)
        try await subscriber.waitUntil("both are forgotten") { subscriber in
            ["fleet/taught/", "fleet/plan"].allSatisfy { topic in
                subscriber.lines.last { $0.contains(topic) }?.hasSuffix(" ") == true
            }
        }
        // Nobody publishes levels any more.
        let deaf = try await hall.fleet("teach", "Hall 2", "--beacon", "1.1", "--duration", "30")
        #expect(deaf.status == 1)
        #expect(deaf.errors.contains("no scanner publishes levels"), "\(deaf.errors)")
        _ = try await broker.stop()
    }

    @Test("a broker that acknowledges what it drops makes a command fail, with what to allow")
    func readOnly() async throws {
        let folder = try temporaryFolder("fleet-acl")
        try "topic read beacond/#\n".write(toFile: "\(folder)/acl", atomically: true, encoding: .utf8)
        let mosquitto = try Mosquitto(options: "allow_anonymous true\nacl_file \(folder)/acl")
        let broker = try await mosquitto.start()
        try "rooms:\n- {room: a, from: [0, 0], to: [8, 6]}\n"
            .write(toFile: "\(folder)/plan.yaml", atomically: true, encoding: .utf8)
        let drawn = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"),
            ["plan", "\(folder)/plan.yaml", "--mqtt", "mqtt://127.0.0.1:\(mosquitto.port)"])
        #expect(drawn.status == 1)
        #expect(drawn.errors.contains("lets this program publish and read there"), "\(drawn.errors)")
        _ = try await broker.stop()
    }

    @Test("a recording that does not fit the building, or is not in order, is told of")
    func misfits() async throws {
        let folder = try temporaryFolder("fleet-misfits")
        let uuid = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
        let rows = ["pi-1", "قاعة"].flatMap { scanner in
            (0..<60).map { "\(1_767_225_600 + $0),\(scanner),\(uuid),1,7,-59,-60\n" }
        }
        let table = "time,scanner,uuid,major,minor,measured_power,rssi\n" + rows.joined()
        try table.write(toFile: "\(folder)/walk.csv", atomically: true, encoding: .utf8)
        try "- {scanner: pi-1, room: Hall 1}\n- {scanner: pi-99, room: Hall 2}\n"
            .write(toFile: "\(folder)/places.yaml", atomically: true, encoding: .utf8)
        let arguments = ["locate", "--source", "file:\(folder)/walk.csv", "--places", "\(folder)/places.yaml"]
        let located = try await RunningProgram.run(Programs.path(of: "beacon-fleet"), arguments)
        #expect(located.status == 0)
        for line in [
            "قاعة is in the recording and has no place", "pi-99 has a place and is not in the recording",
            "54 sightings are not in order of time",
        ] {
            #expect(located.errors.contains(line), "\(located.errors)")
        }
        #expect(!located.errors.contains("file:"), "a table is no scanner: \(located.errors)")
        let other = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"),
            ["teach", "Hall 1", "--beacon", "1.9", "--source", "file:\(folder)/walk.csv"])
        #expect(other.status == 1)
        #expect(other.errors.contains("was not heard") && other.errors.contains("/1/7"), "\(other.errors)")
    }

    @Test("what of a recording is skipped is told once, also where its scanners are looked for first")
    func skippedOnce() async throws {
        let folder = try temporaryFolder("fleet-skipped")
        let uuid = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
        let rows = (0..<30).map { "\(1_767_225_600 + $0),pi-1,\(uuid),1,7,-59,-60\n" }
        let table =
            "time,scanner,uuid,major,minor,measured_power,rssi\n" + rows.joined()
            + "1767225640,pi-1,\(uuid),1,x,-59,-60\n"
        try table.write(toFile: "\(folder)/walk.csv", atomically: true, encoding: .utf8)
        let located = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"), ["locate", "--source", "file:\(folder)/walk.csv"])
        #expect(located.status == 0, "\(located.errors)")
        #expect(located.errors.split(separator: "\n").count { $0.hasPrefix("skipped ") } == 1, "\(located.errors)")
    }

    @Test("mistakes in its options are told before anything begins", arguments: [
        (["run"], "--mqtt"), (["run", "--mqtt", "broker"], "--mqtt"),
        (["run", "--mqtt", "mqtt://broker", "--topic-prefix", "a/#"], "--topic-prefix"),
        (["run", "--mqtt", "mqtt://broker", "--name", "a b"], "--name"),
        (["run", "--mqtt", "mqtt://broker", "--ca-file", "/ca.pem"], "mqtts://"),
        (["run", "--mqtt", "mqtts://broker", "--certificate-file", "/c.pem"], "--key-file"),
        (["run", "--mqtt", "mqtt://broker", "--certificate-file", "/c.pem", "--key-file", "/k.pem"], "mqtts://"),
        (["run", "--mqtt", "mqtt://broker", "--password-file", "/p"], "USER@HOST"), (["locate"], "--source"),
        (["locate", "--source", "file:/dev/null", "--places", "/no/such/file"], "/no/such/file"),
        (["locate", "--source", "file:/dev/null", "--taught", "/no/such/file"], "/no/such/file"),
        (["locate", "--source", "file:-"], "--places"),
        (["plan"], "--forget"), (["plan", "/no/such/file", "--mqtt", "mqtt://broker"], "/no/such/file"),
        (["teach", "Hall"], "--beacon"), (["teach", "Hall", "--beacon", "1.1"], "--mqtt"),
        (["teach", "Hall", "--beacon", "1.1", "--duration", "3"], "--duration"),
        (["teach", "Hall", "--beacon", "Globe"], "--beacon Globe is no identity"),
        (["teach", "Hall", "--beacon", "1.70000"], "--beacon 1.70000 is no identity"),
        (["teach", "", "--beacon", "1.1"], "1 to 200 characters"),
    ])
    func mistakes(arguments: [String], named: String) async throws {
        let run = try await RunningProgram.run(Programs.path(of: "beacon-fleet"), arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains(named), "\(run.errors)")
    }

    @Test("a folder that cannot be used now may be there later: status 1", arguments: ["/dev/null", "/proc/none"])
    func unusableState(folder: String) async throws {
        let run = try await RunningProgram.run(
            Programs.path(of: "beacon-fleet"), ["run", "--mqtt", "mqtt://broker", "--state", folder])
        #expect(run.status == 1)
        #expect(run.errors.contains("--state \(folder): "), "\(run.errors)")
    }
}
