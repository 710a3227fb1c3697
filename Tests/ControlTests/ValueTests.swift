import Beacon
import Control
import ControlClient
import Serving
import Settings
import TestSupport
import Testing

@Suite("Values of HTTP")
struct ValueTests {
    @Test(
        "an address to listen on is a port, or an IP address and a port",
        arguments: [
            ("8080", "127.0.0.1:8080", true), ("localhost:80", "127.0.0.1:80", true), ("[::1]:81", "[::1]:81", true),
            ("0.0.0.0:8080", "0.0.0.0:8080", false), ("*:8080", "0.0.0.0:8080", false),
            ("[::]:8080", "[::]:8080", false),
            ("127.8.0.1:0", "127.8.0.1:0", true), ("192.168.1.2:65535", "192.168.1.2:65535", false),
        ])
    func listen(text: String, address: String, isLoopback: Bool) throws {
        let parsed = try ListenAddress(text)
        #expect(parsed.description == address)
        #expect(parsed.isLoopback == isLoopback)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", ":", "x", "70000", "-1", "+80", "::1:80", "[::1]", "host:80", "1.2.3:80", "1.2.3.4:", "[]:80", ":80",
            "٨٠",
        ])
    func refused(text: String) {
        #expect(throws: BadListenAddress.self) { try ListenAddress(text) }
    }

    @Test(
        "a range is a part of a file",
        arguments: [
            ("bytes=0-0", .part(0...0)), ("bytes=0-", .part(0...99)), ("bytes=10-19", .part(10...19)),
            ("bytes=90-200", .part(90...99)), ("bytes=-1", .part(99...99)), ("bytes=-500", .part(0...99)),
            ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=5-4", nil), ("bytes=a-b", nil),
            ("bytes=0-1,3-4", nil), ("items=0-1", nil), ("bytes=", nil), ("bytes=-", nil), ("bytes=--1", nil),
            ("bytes=0-99999999999999999999", nil),
        ] as [(String, ByteRange?)])
    func ranges(text: String, range: ByteRange?) {
        #expect(ByteRange(text, of: 100) == range)
    }

    @Test(
        "a query is read as a form is: a plus is a space, and what is no escape stands for itself",
        arguments: [
            ("beacon=Steam+Engine&beacon=a%2Bb", ["beacon=Steam Engine", "beacon=a+b"]),
            ("text&states=", ["text=", "states="]), ("a=b=c&&%61=%C3%A4", ["a=b=c", "a=ä"]),
            ("a=%&b=%4&c=%zz&d=100%25", ["a=%", "b=%4", "c=%zz", "d=100%"]), ("a=%FF+x", ["a=%FF+x"]), ("", []),
        ] as [(String, [String])])
    func queries(text: String, fields: [String]) {
        #expect(QueryFields.of(text).map { "\($0.name)=\($0.value)" } == fields)
    }

    @Test(
        "a cookie is found whatever other sites have put into theirs",
        arguments: [
            ("ours=1", "1"), ("a=b; ours=1; c=d", "1"), ("a=b;ours=1", "1"), ("ours=1; ours=2", "1"),
            ("ours=a=b", "a=b"), ("ours=", ""), ("ours", nil), ("", nil), ("; ;=; ours=1", "1"),
            ("theirs=1; xours=2", nil),
            // Prepended signs and combining marks are one Character with what is behind or before them.
            ("a=b\u{600}; ours=1", "1"), ("a=b\u{110BD};ours=1", "1"), ("a=b;\u{301} ours=2; ours=1", "1"),
            ("a\u{600}=b; ours=1", "1"), ("ours\u{301}=2; ours=1", "1"), ("ours=\u{301}1", "\u{301}1"),
        ] as [(String, String?)])
    func cookies(field: String, value: String?) {
        #expect(CookieField.value(of: "ours", in: field) == value)
    }

    @Test("of an empty file there is no part", arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
    func emptyRange(text: String) {
        #expect(ByteRange(text, of: 0) == .unsatisfiable)
    }
}

@Suite("Reading server-sent events")
struct EventStreamTests {
    /// From the HTML Living Standard, section 9.2.6, and what this daemon sends.
    @Test(
        "a stream gives its events",
        arguments: [
            ("data: YHOO\ndata: +2\ndata: 10\n\n", ["message||YHOO\n+2\n10"]),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                ["message|1|first event", "message||second event", "message|| third event"]
            ),
            ("data\n\ndata\ndata\n\ndata:", ["message||", "message||\n"]),
            ("data:test\n\ndata: test\n\n", ["message||test", "message||test"]),
            ("retry: 1000\n\n: alive\n\nid: 7\nevent: entered\ndata: {}\n\n", ["entered|7|{}"]),
            ("id: 1\r\nevent: a\r\ndata: x\r\n\r\nid: 2\revent: b\rdata: y\r\r", ["a|1|x", "b|2|y"]),
            ("\u{FEFF}data: x\n\n", ["message||x"]), ("event: lost\n\ndata: x\n\n", ["message||x"]),
        ])
    func vectors(text: String, expected: [String]) {
        for size in [1, 2, 3, 7, 1000] {
            var reader = EventStreamReader()
            var events: [EventStreamReader.Event] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                events += reader.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(events.map { "\($0.kind)|\($0.id ?? "")|\($0.data)" } == expected, "in pieces of \(size)")
        }
    }

    @Test("anything may come, in any pieces, with the same result", arguments: 1...50)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "data", "id", "event", ":", ": ", "\n", "\r", "\r\n", "\n\n", "x", "\u{0}", "\u{FEFF}", "é", "retry",
            "data: y\n\n",
        ]
        var octets: [UInt8] = []
        for _ in 0..<400 {
            octets += Array((words.randomElement(using: &random) ?? "").utf8)
            if Int.random(in: 0..<10, using: &random) == 0 { octets.append(UInt8.random(in: 0...255, using: &random)) }
        }
        var whole = EventStreamReader()
        let expected = whole.take(octets)
        var pieces = EventStreamReader()
        var events: [EventStreamReader.Event] = []
        var rest = octets[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...20, using: &random)
            events += pieces.take(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(events == expected)
        #expect(!expected.isEmpty)
    }

    @Test("what is too long is cut, and what follows is read")
    func long() {
        var reader = EventStreamReader()
        _ = reader.take("data: ".utf8)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<6 { #expect(reader.take(piece).isEmpty) }
        #expect(reader.take("\n\n".utf8).map(\.data.utf8.count) == [(4 << 20) - "data: ".utf8.count])
        #expect(reader.take("data: y\n\n".utf8).map(\.data) == ["y"])
    }
}
