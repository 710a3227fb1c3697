import Beacon
import Fleet
import FleetFormat
import Rooms
import Testing
import Text

private let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

/// Each message of the fleet, with all its numbers.
private let messages = [
    ("pi-1/scanner", #"{"scanner":"ok","room":"Hall","floor":0,"x":1,"y":2,"version":"1","revision":3,"clock_ms":5}"#),
    (
        "pi-1/levels",
        #"{"second":1767225655,"state":"ok","clock_ms":-10,"beacons":{"\#(uuid)":[[1,7,-63.4,12.1,9,0.1]]}}"#
    ),
    ("pi-1/clock", #"{"asked":1767225600123456}"#),
    ("pi-1/clock/answer", #"{"asked":1,"received":2,"sent":3,"resolver":"a","synchronised":true}"#),
    (
        "pi-1/health",
        #"{"minute":29453760,"state":"ok","settled":true,"beacons":{"\#(uuid)":[[1,7,0,5,1,-63.4,-60.5,1,1.5,7.5,-2.5,0.505,0.505,0,-59,-59,80,-61.5,6.5]]}}"#
    ),
    ("health/\(uuid)/1/7", #"{"uuid":"\#(uuid)","major":1,"minor":7,"state":"ok","problems":[]}"#),
    (
        "rooms/\(uuid)/1/7",
        #"{"uuid":"\#(uuid)","major":1,"minor":7,"room":"Hall","floor":0,"probability":0.95,"since":"2026-01-01T00:00:00Z","x":1.5,"y":2.5,"within":2.0,"level":-58.5}"#
    ),
    ("fleet/plan", #"{"rooms":[{"room":"Hall","floor":0,"corners":[[0.0,0.0],[8.0,0.0],[8.0,6.0]]}]}"#),
    ("fleet/taught/a1", #"{"room":"Attic","floor":0,"spots":[{"pi-1":14.2}]}"#),
    ("fleet/antennas", #"{"from":1767225660,"antennas":{"pi-1":-3.2}}"#),
    ("fleet/antennas/1-2", #"{"from":1767225660,"antennas":{"pi-1":-3.2}}"#),
    (
        "fleet/resolvers/a/scanners",
        #"{"time":"2026-01-01T00:00:00Z","scanners":{"pi-1":{"second":1,"clock_ms":-12,"late":1,"ahead":1,"dropped":1}}}"#
    ),
    (
        "fleet/checkpoint/0",
        #"{"form":1,"second":1767225599,"part":0,"parts":1,"map":"","scanners":[[0.5,1767225599],[0.0,null]],"proposal":{"from":1767225690,"antennas":{"pi-1":0.5}},"beacons":[{"uuid":"\#(uuid)","major":1,"minor":7,"level":-58.5,"variance":4.0,"pause":64,"last":1767225599,"began":1767225500,"heard":[0,1767225599],"witnesses":[0],"still":[0,3000],"moving":[1,1000],"room":0,"last_room":0,"unknown":null,"since":1767225500,"doubtful":0,"spot":[0.5,1.0,2.5]}]}"#
    ),
]

/// The message once for each of its numbers, with another one there.
private func changed(_ json: String, to number: String) -> [String] {
    var (versions, isText): ([String], Bool) = ([], false)
    var index = json.startIndex
    while index < json.endIndex {
        if json[index] == "\"" { isText.toggle() }
        guard !isText, json[index].isNumber || json[index] == "-" else {
            index = json.index(after: index)
            continue
        }
        let end = json[index...].firstIndex { !$0.isNumber && !"-.".contains($0) } ?? json.endIndex
        versions.append("\(json[..<index])\(number)\(json[end...])")
        index = end
    }
    return versions
}

private func started(_ shard: FleetShard?) -> FleetResolver {
    var resolver = FleetResolver(prefix: "beacond", name: "a", shard: shard)
    resolver.announcements = RoomAnnouncements(RoomDiscovery(prefix: "homeassistant", topics: resolver.topics))
    resolver.connect(at: 0)
    for (topic, json) in [messages[0], ("pi-0/scanner", messages[0].1)] {
        resolver.take("beacond/\(topic)", Array(json.utf8), at: 0)
    }
    return resolver
}

@Suite struct ExtremeNumberTests {
    @Test("no number of a message, however large, ends a resolver, the fleet's table or a bridge",
        arguments: messages.indices, ["-9223372036854775808", "9223372036854775807", "-1e308", "1e308"])
    func numbers(index: Int, number: String) {
        let (topic, json) = messages[index]
        let versions = changed(json, to: number)
        #expect(!versions.isEmpty)
        for version in versions {
            for var resolver in [nil, FleetShard("1/2"), FleetShard("2/2")].map(started) {
                resolver.take("beacond/\(topic)", Array(version.utf8), at: 3)
                // From the end of a minute on: what is told then, and what is told of scanners after five seconds.
                for second in Int64(1_767_225_655)..<1_767_225_667 {
                    let levels = LevelsMessage(second: second, isBlind: false, rows: [])
                    resolver.take("beacond/pi-0/levels", Array(levels.json.utf8), at: Double(second - 1_767_225_650))
                    while resolver.nextPublication() != nil {}
                }
                _ = (resolver.snapshot(at: 20, time: Timestamp(seconds: 1_767_225_670)), resolver.takeNotices())
                #expect(resolver.answers.allSatisfy { $0.room.map { (-99...999).contains($0.floor) } ?? true })
            }
            var view = FleetView(prefix: "beacond")
            for (topic, json) in [messages[0], ("fleet/resolvers/a", "answering"), (topic, version)] {
                view.take("beacond/\(topic)", Array(json.utf8))
            }
            // A scanner whose state cannot be read is none; a resolver is there in any case.
            #expect(!view.lines(Terminal(isTerminal: false)).isEmpty && !view.json.isEmpty && view.csv.count <= 1)
        }
    }

    @Test("a correction that no clock needs is none, and a floor is one that a building can have")
    func limits() throws {
        let scanner = #"{"scanner":"ok","room":"Hall","floor":9223372036854775807,"clock_ms":-9223372036854775808}"#
        let message = try ScannerMessage(json: Array(scanner.utf8), host: "pi-1")
        #expect(message.clock == nil && message.place?.floor == 999)
        let room = messages[6].1.replacing(#""floor":0"#, with: #""floor":-9223372036854775808"#)
        #expect(try RoomMessage.known(json: Array(room.utf8)).room?.floor == -99)
        let antennas = #"{"from":9000000000000000000,"antennas":{}}"#
        #expect(throws: FleetMessageError.self) { try AntennasMessage.proposal(json: Array(antennas.utf8)) }
        let since = messages[6].1.replacing("2026-01-01", with: "1969-01-01")
        #expect(throws: FleetMessageError.self) { try RoomMessage.known(json: Array(since.utf8)) }
    }
}
