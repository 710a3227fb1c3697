import Beacon
import Broker
import Fleet
import FleetFormat
import Health
import Rooms
import TestSupport
import Testing

private let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
private let topics = FleetTopics(prefix: "beacond")

/// A broker without a network, and resolvers that get everything at once.
private struct Building {
    var retained: [String: String] = [:]
    var resolvers: [String: FleetResolver] = [:]
    /// By resolver: what it published about health.
    var published: [String: [Publication]] = [:]
    var second: Int64 = 600_000
    /// The resolvers' own clock.
    var now = 600_000.0
    /// dBm, as each scanner hears the beacon; nil for silence.
    var levels: [String: Double?] = ["pi-1": -60, "pi-2": -75]
    var silence: [String: Int] = [:]
    /// Seconds by which the clocks of scanners are ahead. They know it.
    var ahead: [String: Int64] = [:]
    /// Minutes of silence after which the beacon is missing.
    var missingAfter = 5

    init() {
        for (host, x) in [("pi-1", 0), ("pi-2", 20)] {
            publish(
                "beacond/\(host)/scanner", #"{"scanner":"ok","room":"\#(host)","floor":0,"x":\#(x),"y":0}"#,
                isRetained: true)
        }
    }

    mutating func start(_ name: String) {
        var resolver = FleetResolver(prefix: "beacond", name: name)
        resolver.connect(at: now)
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) {
            resolver.take(topic, Array(payload.utf8), at: now)
        }
        resolvers[name] = resolver
        deliver()
    }

    /// The broker was away: all begin again with what it retains.
    mutating func reconnectAll() {
        for name in resolvers.keys.sorted() {
            resolvers[name]?.connect(at: now)
            for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) {
                resolvers[name]?.take(topic, Array(payload.utf8), at: now)
            }
        }
        deliver()
    }

    mutating func publish(_ topic: String, _ payload: String, isRetained: Bool = false) {
        if isRetained { retained[topic] = payload.isEmpty ? nil : payload }
        for name in resolvers.keys.sorted() { resolvers[name]?.take(topic, Array(payload.utf8), at: now) }
    }

    mutating func deliver() {
        for name in resolvers.keys.sorted() {
            while let message = resolvers[name]?.nextPublication() {
                if message.topic == topics.health(beacon) { published[name, default: []].append(message) }
                publish(message.topic, message.payload, isRetained: true)
            }
        }
    }

    mutating func pass(minutes: Int) {
        for _ in 0..<minutes * 60 {
            for host in levels.keys.sorted() {
                let ahead = ahead[host] ?? 0
                let message = LevelsMessage(second: second + ahead, isBlind: false, clock: Int(-ahead) * 1000, rows: [])
                publish("beacond/\(host)/levels", message.json)
            }
            second += 1
            now += 1
            tellHealth()
            for name in resolvers.keys.sorted() { resolvers[name]?.resolve(at: now) }
            deliver()
        }
    }

    private mutating func tellHealth() {
        for (host, level) in levels.sorted(by: { $0.key < $1.key }) {
            let own = second + (ahead[host] ?? 0)
            guard own % 60 == 3 else { continue }
            silence[host] = level == nil ? silence[host, default: 0] + 1 : 0
            let reading = HealthReading(
                beacon: beacon, silence: silence[host, default: 0], missingAfter: missingAfter, share: 1, level: level,
                usual: host == "pi-1" ? -60 : -75, isSteady: true, spread: 1, dip: 5, claim: -59, usualClaim: -59)
            let readings = ScannerReadings(
                scanner: host, minute: own / 60 - 1, isBlind: false, isSettled: true, readings: [reading])
            let message = HealthReadingsMessage(of: [readings], clock: Int(-(ahead[host] ?? 0)) * 1000)
            publish("beacond/\(host)/health", message.json)
        }
    }

    var health: String? { retained[topics.health(beacon)] }
}

@Suite struct FleetHealthTests {
    @Test("a beacon that all scanners miss is retained as missing, and as well when it is back")
    func missing() throws {
        var building = Building()
        building.start("a")
        building.pass(minutes: 5)
        #expect(building.health?.contains(#""state":"ok","problems":[]"#) == true)
        building.levels = ["pi-1": nil, "pi-2": -75]
        building.pass(minutes: 8)
        #expect(building.health?.contains(#""kind":"moved""#) == true, "\(building.health ?? "")")
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.pass(minutes: 8)
        let health = try #require(building.health)
        #expect(health.contains(#""kind":"missing""#) && health.contains("by pi-1, pi-2"))
        #expect(building.resolvers["a"]?.health.first?.problems.first?.kind == .missing)
        building.levels = ["pi-1": -60, "pi-2": -75]
        building.pass(minutes: 12)
        #expect(building.health?.contains(#""problems":[]"#) == true, "\(building.health ?? "")")
    }

    @Test("a scanner whose clock is wrong, and is corrected, tells of its beacons as others do",
        arguments: [-60, -3600, 400, 29])
    func wrongClock(ahead: Int64) {
        var building = Building()
        building.ahead = ["pi-1": ahead, "pi-2": ahead]
        building.start("a")
        building.pass(minutes: 5)
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.pass(minutes: 8)
        #expect(building.health?.contains(#""kind":"missing""#) == true, "\(building.health ?? "none")")
    }

    @Test("what a daemon publishes of a minute has the fleet's minute", arguments: [
        (nil, 100), (29_999, 100), (30_000, 101), (-30_000, 100), (-30_001, 99), (3_600_000, 160), (-400_000, 93),
        (-10_000_000_000_000, 0),
    ] as [(Int?, Int64)])
    func publishedMinute(clock: Int?, minute: Int64) {
        let receivers = ["hci0", "hci1"].map {
            ScannerReadings(scanner: $0, minute: 100, isBlind: false, isSettled: true, readings: [])
        }
        #expect(HealthReadingsMessage(of: receivers, clock: clock).readings.minute == minute)
    }

    @Test("a beacon that changes its place is told by the scanners together")
    func moved() {
        var building = Building()
        building.start("a")
        building.pass(minutes: 5)
        building.levels = ["pi-1": -78, "pi-2": -58]
        building.pass(minutes: 8)
        #expect(building.health?.contains(#""kind":"moved""#) == true)
    }

    @Test("a resolver that starts later, and one that is restarted, publish the same bytes")
    func twoResolvers() {
        var building = Building()
        building.start("a")
        building.pass(minutes: 5)
        building.levels = ["pi-1": -75, "pi-2": -90]
        building.pass(minutes: 12)
        #expect(building.health?.contains(#""kind":"weak""#) == true)
        building.start("b")
        building.pass(minutes: 5)
        #expect(building.published["b"] == nil)
        building.pass(minutes: 35)
        building.published = [:]
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.pass(minutes: 10)
        building.levels = ["pi-1": -60, "pi-2": -75]
        building.pass(minutes: 20)
        #expect(building.published["a"]?.count ?? 0 >= 2)
        #expect(building.published["a"] == building.published["b"])
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.pass(minutes: 10)
        let before = building.health
        building.resolvers = [:]
        building.start("a")
        building.pass(minutes: 10)
        #expect(building.health == before && before?.contains("missing") == true)
    }

    @Test("two resolvers tell at once what is wrong after the broker was away, and where both are young",
        arguments: [true, false])
    func noElders(isReconnected: Bool) {
        var building = Building()
        building.start("a")
        building.pass(minutes: isReconnected ? 2 : 5)
        building.start("b")
        building.pass(minutes: 4)
        if isReconnected {
            building.pass(minutes: 40)
            building.reconnectAll()
        }
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.pass(minutes: 8)
        #expect(building.health?.contains(#""kind":"missing""#) == true, "\(building.health ?? "none")")
    }

    @Test("one that starts while a beacon is silent says the same of it, also since when")
    func startedInSilence() throws {
        var building = Building()
        building.missingAfter = 45
        building.start("a")
        building.pass(minutes: 5)
        building.levels = ["pi-1": nil, "pi-2": nil]
        // The minute that is just over is told with these levels.
        let began = building.second - 60
        building.pass(minutes: 10)
        building.start("b")
        building.published = [:]
        building.pass(minutes: 40)
        let told = try #require(building.published["a"])
        #expect(
            told.contains { $0.payload.contains(#""kind":"missing","since":"\#(rfc3339(second: began))""#) }, "\(told)")
        #expect(building.published["b"]?.last == told.last)
    }

    @Test("a newcomer tells at once when the only one that has seen more is gone")
    func elderLeaves() {
        var building = Building()
        building.start("a")
        building.pass(minutes: 5)
        building.start("b")
        building.pass(minutes: 5)
        building.resolvers["a"] = nil
        building.publish(topics.resolver("a"), "offline", isRetained: true)
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.pass(minutes: 8)
        #expect(building.health?.contains(#""kind":"missing""#) == true, "\(building.health ?? "none")")
    }

    @Test("health and antennas go on within two minutes after the fleet's time was set back")
    func setBack() throws {
        var building = Building()
        building.second += 7200
        building.start("a")
        building.pass(minutes: 5)
        let antennas = try #require(building.retained[topics.antennas])
        #expect(building.health?.contains(#""state":"ok""#) == true)
        // A minute without any scanner, by the resolver's own clock; then all tell of seconds that are two hours ago.
        for _ in 0..<60 {
            building.now += 1
            building.resolvers["a"]?.resolve(at: building.now)
        }
        building.second -= 7200
        building.levels = ["pi-1": nil, "pi-2": nil]
        building.silence = ["pi-1": 5, "pi-2": 5]
        building.pass(minutes: 3)
        #expect(building.health?.contains(#""kind":"missing""#) == true, "\(building.health ?? "none")")
        let later = try #require(building.retained[topics.antennas])
        #expect(try from(later) < from(antennas) - 6000)
    }

    private func from(_ antennas: String) throws -> Int64 {
        try AntennasMessage.proposal(json: Array(antennas.utf8)).second
    }

    @Test("minutes that are far ahead hold up nothing, also where they come first")
    func farAhead() {
        var building = Building()
        building.start("a")
        for minute in Int64(20_000_000)..<20_000_008 {
            let readings = ScannerReadings(
                scanner: "pi-1", minute: minute, isBlind: false, isSettled: true, readings: [])
            building.publish("beacond/pi-1/health", HealthReadingsMessage(readings).json)
        }
        building.pass(minutes: 5)
        #expect(building.health?.contains(#""state":"ok""#) == true)
    }

    @Test("what a scanner says of its beacons is read as it is written")
    func readings() throws {
        let reading = HealthReading(
            beacon: beacon, silence: 3, missingAfter: nil, share: 0.25, level: nil, before: -61.5, usual: -60.5,
            isSteady: true, spread: 1.5, dip: 7.5, fall: 6.5, drift: -2.5, interval: nil, usualInterval: 0.505,
            hasIntruder: true, claim: -59, usualClaim: nil,
            battery: 80)
        let readings = ScannerReadings(
            scanner: "pi-1", minute: 29_453_760, isBlind: false, isSettled: true, readings: [reading])
        let json = HealthReadingsMessage(readings).json
        #expect(try HealthReadingsMessage(json: Array(json.utf8), host: "pi-1").readings == readings)
        #expect(json.contains("[1,2,3,null,0.25,null,-60.5,1,1.5,7.5,-2.5,null,0.505,1,-59,null,80,-61.5,6.5]"))
    }

    @Test("of too many rows those of known beacons are written")
    func manyRows() throws {
        let readings = (0..<3000).map { number in
            HealthReading(
                beacon: BeaconID(uuid: beacon.uuid, major: 0, minor: UInt16(number)),
                missingAfter: number % 10 == 0 ? 5 : nil,
                level: -50, claim: -59)
        }
        let all = ScannerReadings(scanner: "a", minute: 1, isBlind: false, isSettled: true, readings: readings)
        let read = try HealthReadingsMessage(json: Array(HealthReadingsMessage(all).json.utf8), host: "a").readings
            .readings
        #expect(read.count == HealthReadingsMessage.mostRows)
        #expect(read.count(where: \.isLearned) == 300)
    }

    @Test("what is no health is refused, and says why", arguments: [
            ("", "not JSON"), ("{}", "is missing"),
            (#"{"minute":1e18,"state":"ok","settled":true,"beacons":{}}"#, "minute"),
        (#"{"minute":1,"state":"ok","settled":true,"beacons":{"x":[]}}"#, "UUID"),
            (
                #"{"minute":1,"state":"ok","settled":true,"beacons":{"636f3f8f-6491-4bee-95f7-d8cc64a863b5":[[1,2,3]]}}"#,
                "row"
            ),
        (String(repeating: "[", count: 200_000), "larger"),
    ])
    func bad(json: String, reason: String) {
        let error = #expect(throws: FleetMessageError.self) {
            try HealthReadingsMessage(json: Array(json.utf8), host: "a")
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(throws: FleetMessageError.self) { try BeaconHealthMessage(json: Array(json.utf8)) }
    }
}
