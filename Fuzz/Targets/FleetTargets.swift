import Beacon
import Broker
import ESPHome
import Fleet
import FleetFormat
import Rooms
import TestSupport
import Text

private let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"

extension FuzzTarget {
    /// What comes over a broker: a topic, a line end, the payload. One after the other, each with its length before it.
    static let fleetMessage = FuzzTarget(
        "fleet-message",
        words: [
            "beacond/pi-1/levels\n", "beacond/pi-1/scanner\n", "beacond/pi-1/status\n", "beacond/pi-1/clock\n",
            "beacond/fleet/antennas\n", "beacond/fleet/resolvers/a\n", "beacond/rooms/", "espresense/devices/iBeacon:",
            "\"second\":", "\"clock_ms\":", "\"beacons\":", "\"room\":", "null", "-1", "1e308",
        ],
        mutationsInTests: 500
    ) {
        let messages = [
            #"beacond/pi-1/scanner|{"scanner":"ok","room":"Hall","floor":0,"x":1,"y":2,"version":"1","revision":3,"clock_ms":5,"clock_synchronised":true,"blind_since":null,"bridge":"b"}"#,
            #"beacond/pi-1/levels|{"second":1767225600,"state":"ok","clock_ms":-10000,"beacons":{"\#(uuid)":[[1,7,-63.4,12.1,9,0.1]]}}"#,
            #"beacond/fleet/plan|{"rooms":[{"room":"Hall","floor":0,"corners":[[0.0,0.0],[8.0,0.0],[8.0,6.0]]}]}"#,
            #"beacond/fleet/taught/a1|{"room":"Attic","floor":0,"spots":[{"pi-1":14.2,"pi-3":null}]}"#,
            "beacond/pi-1/status|offline", #"beacond/pi-1/clock|{"asked":1767225600123456}"#,
            #"beacond/fleet/antennas|{"from":1767225660,"antennas":{"pi-1":-3.2}}"#,
            "beacond/fleet/resolvers/a|answering",
            #"beacond/rooms/\#(uuid)/1/7|{"uuid":"\#(uuid)","major":1,"minor":7,"room":"Hall","floor":0,"probability":0.95,"since":"2026-01-01T00:00:00Z","level":-58.5}"#,
            #"beacond/fleet/resolvers/a/scanners|{"time":"2026-01-01T00:00:00Z","scanners":{"pi-1":{"second":1,"clock_ms":-12,"late":0,"ahead":0,"dropped":0}}}"#,
            #"beacond/pi-1/health|{"minute":29453760,"state":"ok","settled":true,"beacons":{"\#(uuid)":[[1,7,0,5,1,-63.4,-60.5,1,1.5,7.5,-2.5,null,0.505,0,-59,null,80,-61.5,6.5]]}}"#,
            #"beacond/health/\#(uuid)/1/7|{"uuid":"\#(uuid)","major":1,"minor":7,"state":"problem","problems":[{"kind":"weak","since":"2026-01-01T00:00:00Z","evidence":"12 dB"}]}"#,
            #"beacond/pi-1/clock/answer|{"asked":1,"received":2,"sent":3,"resolver":"a","synchronised":true}"#,
            #"beacond/fleet/checkpoint/0|{"form":1,"second":1767225659,"part":0,"parts":1,"map":"","scanners":[[0.5,1767225659],[0.0,null]],"proposal":{"from":1767225690,"antennas":{"pi-1":0.5}},"beacons":[{"uuid":"\#(uuid)","major":1,"minor":7,"level":-58.5,"variance":4.0,"pause":64,"last":1767225659,"began":1767225600,"heard":[0,1767225659],"witnesses":[0],"still":[0,3000,1,96],"moving":[1,1000],"room":0,"last_room":0,"unknown":null,"since":1767225600,"doubtful":0,"spot":[0.5,1.0,2.5]}]}"#,
            #"espresense/devices/iBeacon:\#(uuid)-1-7/kitchen|{"rssi":-70}"#, "espresense/rooms/kitchen/status|online",
            #"espresense/rooms/kitchen/telemetry|{"ver":"v3"}"#,
        ].map { Array($0.replacing("|", with: "\n").utf8) }
        return messages.map(framed) + [messages.flatMap(framed), messages.reversed().flatMap(framed)]
    } check: { input in
        var resolvers = [nil, FleetShard("1/2"), FleetShard("2/2")].map(resolver)
        var view = FleetView(prefix: "beacond")
        var bridge = FleetBridge(prefix: "beacond", name: "bridge", places: [], espresense: "espresense")
        var now = 3.0
        for (topic, payload) in messages(input) {
            now += 1
            for index in resolvers.indices {
                resolvers[index].take(topic, payload, at: now)
                pass(5, at: now, in: &resolvers[index])
            }
            now += 5
            view.take(topic, payload)
            bridge.take(topic, payload, at: Timestamp(seconds: 1_767_225_600 + now), now: now)
            if let part = try refusing({ try CheckpointMessage.part(json: payload) }) {
                try goOn(from: part.checkpoint)
            }
            if let answer = try refusing({ try ClockAnswer(json: payload) }) {
                try require(answer.sent >= answer.received, "an answer that was sent before it was asked for")
            }
            if let message = try refusing({ try LevelsMessage(json: payload) }) {
                try require(SecondBarrier.seconds.contains(message.correctedSecond), "a second that no clock shows")
                let again = try LevelsMessage(json: Array(message.json.utf8))
                try require(
                    again.rows.map(\.beacon) == message.rows.map(\.beacon),
                    "levels that are not read as they are written")
            }
        }
        for index in resolvers.indices {
            _ = resolvers[index].snapshot(at: now, time: Timestamp(seconds: 1_767_225_600 + now))
            if let last = resolvers[index].lastUnreadable { try requireShown(last) }
            for notice in resolvers[index].takeNotices() { try requireShown(notice) }
        }
        for notice in bridge.takeNotices() { try requireShown(notice) }
        for line in view.lines(.init(isTerminal: false)) where !line.isEmpty { try requireShown(line, atMost: 20_000) }
        _ = (view.csv, view.json)
        let time = Timestamp(seconds: 1_767_225_600 + now + 5)
        for publication in bridge.tick(at: time, now: now + 5, clock: .init(), isSettled: true) {
            _ = try LevelsMessage(json: Array(publication.payload.utf8))
        }
    }

    /// With a scanner of its own, so that time goes on whatever else is published.
    private static func resolver(_ shard: FleetShard?) -> FleetResolver {
        var resolver = FleetResolver(prefix: "beacond", name: "fuzz", shard: shard)
        resolver.announcements = RoomAnnouncements(RoomDiscovery(prefix: "homeassistant", topics: resolver.topics))
        resolver.connect(at: 0)
        resolver.take(
            "beacond/pi-0/scanner", Array(#"{"scanner":"ok","room":"Lobby","floor":0,"x":9,"y":2}"#.utf8), at: 0)
        return resolver
    }

    /// The first five seconds end a minute.
    private static func pass(_ seconds: Int, at now: Double, in resolver: inout FleetResolver) {
        for step in 0..<seconds {
            let second = 1_767_225_651 + Int64(now) + Int64(step)
            let json = LevelsMessage(second: second, isBlind: false, rows: []).json
            resolver.take("beacond/pi-0/levels", Array(json.utf8), at: now + Double(step))
            while resolver.nextPublication() != nil {}
        }
    }

    /// Whatever is accepted can be gone on from.
    private static func goOn(from checkpoint: RoomCheckpoint) throws {
        let places = (1...2).map {
            ScannerPlace(scanner: "pi-\($0)", room: "Room \($0)", position: Position(x: Double($0) * 4, y: 0))
        }
        let map = RoomMap(places)
        var checkpoint = checkpoint
        checkpoint.map = map.digest
        guard var resolver = RoomResolver(map, from: checkpoint) else { return }
        for text in CheckpointMessage.parts(checkpoint) { _ = try CheckpointMessage.part(json: Array(text.utf8)) }
        for second in 1_767_225_660..<Int64(1_767_225_720) {
            _ = resolver.resolve(second, places.map { ScannerSecond(scanner: $0.scanner, second: second) })
        }
        for answer in resolver.answers { try require((0...1).contains(answer.probability), "no probability") }
    }

    /// What a Bluetooth proxy sends, whole and in pieces; without encryption, and as if it were encrypted.
    static let bluetoothProxy = FuzzTarget("bluetooth-proxy") {
        let beacon = bytes("1A FF 4C 00 02 15 636F3F8F64914BEE95F7D8CC64A863B5 0001 0002 C5")
        let advertisement = bytes("08 FF DD EE CC BB 55 10 7D 18 01 22 1B") + beacon
        let frames = [
            PlainFraming.octets(ProxyFrame(type: 2, payload: bytes("08 01 10 0C 22 01 61"))),
            PlainFraming.octets(ProxyFrame(type: 10, payload: bytes("12 01 61 22 01 62 78 61"))),
            PlainFraming.octets(ProxyFrame(type: 93, payload: [0x0A, UInt8(advertisement.count)] + advertisement)),
            PlainFraming.octets(ProxyFrame(type: 126, payload: [8, 2])), PlainFraming.octets(ProxyFrame(type: 7)),
        ]
        return frames + [frames.flatMap(\.self), bytes("01 0002 01 61 00 01 0001 00")]
    } check: { input in
        let whole = try proxy(input, piece: max(1, input.count))
        try require(try proxy(input, piece: 3) == whole, "octets in pieces are read differently")
        for case .advertisements(let advertisements) in whole.compactMap(\.self).joined() {
            for advertisement in advertisements { _ = advertisement.sighting(at: Timestamp(seconds: 1)) }
        }
        var fields = ProtobufFields(input)
        var end = 0
        while let field = fields.next() {
            guard case .octets(let range) = field.value else { continue }
            try require(range.lowerBound > end && range.upperBound <= input.count, "a field outside of its message")
            end = range.upperBound
        }
    }
}

private func framed(_ message: [UInt8]) -> [UInt8] {
    [UInt8(message.count >> 8), UInt8(truncatingIfNeeded: message.count)] + message
}

private func messages(_ input: [UInt8]) -> [(topic: String, payload: [UInt8])] {
    var rest = input[...]
    var messages: [(String, [UInt8])] = []
    while let high = rest.popFirst(), let low = rest.popFirst() {
        let message = rest.prefix(Int(high) << 8 | Int(low))
        rest = rest.dropFirst(message.count)
        let topic = message.prefix { $0 != UInt8(ascii: "\n") }
        messages.append((String(decoding: topic, as: UTF8.self), Array(message.dropFirst(topic.count + 1))))
    }
    return messages
}

/// Without a key and with one; nil for what is refused.
private func proxy(_ input: [UInt8], piece: Int) throws(BrokenInvariant) -> [[ProxySession.News]?] {
    var all: [[ProxySession.News]?] = []
    for key in [nil, ProxyKey("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")] {
        let news: [ProxySession.News]? = try refusing {
            var session = try ProxySession(key: key, client: "fuzz", at: 0)
            var news: [ProxySession.News] = []
            for begin in stride(from: 0, to: input.count, by: piece) {
                news += try session.take(Array(input[begin..<min(input.count, begin + piece)]), at: 1).news
            }
            return news
        }
        all.append(news)
    }
    return all
}
