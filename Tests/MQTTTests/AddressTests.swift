import Beacon
import MQTT
import Settings
import TestSupport
import Testing

@Suite("The address of a broker")
struct AddressTests {
    @Test("is read with its defaults", arguments: [
        ("mqtt://broker", "mqtt://broker:1883", nil as String?),
        ("mqtts://broker", "mqtts://broker:8883", nil),
        ("MQTT://broker.example:11883/", "mqtt://broker.example:11883", nil),
        ("mqtt://scanner@10.0.0.7", "mqtt://10.0.0.7:1883", "scanner"),
        ("mqtts://hall%40museum@broker:9", "mqtts://broker:9", "hall@museum"),
        ("mqtt://[fd00::7]:1884", "mqtt://[fd00::7]:1884", nil),
        ("mqtt://u@[::1]", "mqtt://[::1]:1883", "u"),
        ("mqtts://u@one,two:9,[::1]:7/", "mqtts://one:8883,two:9,[::1]:7", "u"),
        ("mqtt://one,\u{301}two:9", "mqtt://one:1883,\u{301}two:9", nil),
        ("mqtt://\u{301}one", "mqtt://\u{301}one:1883", nil),
        ("mqtt://u@\u{301}one", "mqtt://\u{301}one:1883", "u"),
    ])
    func isRead(text: String, shown: String, user: String?) throws {
        let address = try BrokerAddress(text)
        #expect("\(address)" == shown)
        #expect(address.user == user)
    }

    @Test("is refused with a reason where it is none", arguments: [
        "", "broker", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://broker:", "mqtt://broker:0",
        "mqtt://broker:65536", "mqtt://broker:x", "mqtt://@broker", "mqtt://%zz@broker", "mqtt://bro ker",
        "mqtt://broker/topic", "mqtt://[::1", "mqtt://[::1]x", "mqtt://u@", "mqtt://%ff@broker", "mqtt://%+5@broker",
        "mqtt://a,", "mqtt://,a", "mqtt://a,,b", "mqtt://a,b c", "mqtt://a,u@b/c", "mqtt://a:1,b:0",
        "mqtt://broker:\u{301}1883", "mqtt://user:\u{301}secret@broker", "mqtt://u%00x@broker", "mqtt://u\nx@broker",
        "mqtt://" + [String](repeating: "a", count: 17).joined(separator: ","),
    ])
    func isRefused(text: String) {
        #expect(throws: BrokerAddress.Problem.self) { try BrokerAddress(text) }
    }

    @Test("of a cluster has its nodes in their order, all with the same user and the same way")
    func nodes() throws {
        let address = try BrokerAddress("mqtts://u@one,two:9")
        #expect(address.nodes.map(\.description) == ["mqtts://one:8883", "mqtts://two:9"])
        #expect(address.nodes.allSatisfy { $0.user == "u" && $0.isSecure && $0.nodes == [$0] })
        #expect(try BrokerAddress("mqtt://one").nodes == [try BrokerAddress("mqtt://one")])
    }

    @Test("never shows a password that was written into it")
    func neverShows() {
        for text in [
            "mqtt://user:secret@broker", "user:secret@broker", "http://user:secret@broker",
            "mqtt://user:\u{301}secret@broker", "user:secret@\u{301}broker", "user:secret\u{600}@broker",
            "mqtt://\u{301}user:secret@broker",
        ] {
            do {
                _ = try BrokerAddress(text)
                Issue.record("\(text) was taken")
            } catch {
                #expect(!"\(error)".contains("secret"))
            }
        }
    }

    @Test("is read from anything without harm")
    func isReadFromAnything() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "mqtt", "s", "://", "@", ":", "[", "]", "%4", "%41", "a", "é", "\0", "1883", "/", "99999", " ", "::1",
        ]
        var accepted = 0
        for _ in 0..<5000 {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard let address = try? BrokerAddress(text) else { continue }
            #expect(!address.host.isEmpty)
            #expect(address.port > 0)
            accepted += 1
        }
        #expect(accepted > 0)
    }
}

@Suite("Topics")
struct TopicTests {
    @Test("begin with prefix and host")
    func beginWithPrefix() throws {
        let topics = Topics(prefix: "site/floor-2", host: "hall")
        let beacon = try #require(BeaconID("636F3F8F-6491-4BEE-95F7-D8CC64A863B5/1/7"))
        #expect(topics.status == "site/floor-2/hall/status")
        #expect(topics.ranging(beacon) == "site/floor-2/hall/ranging/636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/7")
        #expect(topics.event("entered") == "site/floor-2/hall/events/entered")
    }

    @Test("keep the prefix as it is written", arguments: [
        ("Museum/Süd", "Museum/Süd"), ("متحف", "متحف"), ("a//b", "a/b"), (String(repeating: "hall-", count: 20), nil),
    ])
    func keepThePrefix(prefix: String, written: String?) {
        #expect(Topics.isPrefix(prefix))
        #expect(Topics(prefix: prefix, host: "pi").base == "\(written ?? prefix)/pi")
    }

    @Test("have no prefix with a meaning of its own", arguments: [
        "", "/a", "a/", "a/+/b", "#", "$SYS", "a b", "a\u{a0}b", "a\u{0}", "a\n", "a\u{200b}", "\u{202e}a",
        String(repeating: "a", count: 1025),
    ])
    func refusePrefixes(prefix: String) {
        #expect(!Topics.isPrefix(prefix))
    }

    @Test("have nothing in the host's name that means something in them", arguments: [
        ("pi.local", "pi_local"), ("a/b", "a_b"), ("#", "_"), ("+", "_"), ("$SYS", "_SYS"), ("", "_"),
        ("hall 2", "hall_2"),
        ("Übung", "_bung-ea59486fe5d54f4"), ("a\u{0}\n", "a__"),
    ])
    func haveNothing(host: String, level: String) {
        #expect(Topics(prefix: "beacond", host: host).base == "beacond/\(level)")
    }

    @Test("keep hosts apart whose names are not ASCII, or long")
    func apart() {
        let names = ["قاعة", "متحف", "küche", "kuche", "k_che", "köche"] + (1...3).map {
            String(repeating: "a", count: 70) + "\($0)"
        }
        #expect(Set(names.map { Topics(prefix: "beacond", host: $0).host }).count == names.count)
    }

    @Test("keep regions apart whose names have other characters, and names as they are where they can")
    func regions() {
        let names = ["Hall 1", "Hall_1", "Hall/1", "Hall-1", "قاعة", "متحف"] + (1...3).map {
            String(repeating: "a", count: 70) + "\($0)"
        }
        let topics = Topics(prefix: "beacond", host: "pi")
        #expect(Set(names.map(topics.region)).count == names.count)
        #expect(topics.region("Hall_1") == "beacond/pi/regions/Hall_1")
        #expect(topics.region("Hall 1").hasPrefix("beacond/pi/regions/Hall_1-"))
        for name in names { #expect((1...64).contains(Topics.distinctLevel(name).utf8.count)) }
    }

    @Test("are valid for any host, and for what they are made of")
    func areValid() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 0...90, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
            }
            let level = Topics.level(String(String.UnicodeScalarView(scalars)))
            #expect((1...64).contains(level.utf8.count))
            #expect(Topics.level(level) == level)
            #expect(
                level.utf8.allSatisfy {
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".utf8.contains($0)
                })
        }
    }
}
