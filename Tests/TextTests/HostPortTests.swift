import TestSupport
import Testing
import Text

@Suite("Host and port")
struct HostPortTests {
    @Test(
        "a text is a host and perhaps a port, and is written the same way",
        arguments: [
            ("broker.example:1883", "broker.example", 1883), ("localhost", "localhost", nil), ("[::1]:80", "::1", 80),
            ("[fe80::1]", "fe80::1", nil), (":80", "", 80), ("", "", nil), ("host:0", "host", 0),
            ("鯨.example:65535", "鯨.example", 65535), ("a\u{600}:80", "a\u{600}", 80),
            ("[\u{301}:a]:80", "\u{301}:a", 80),
        ] as [(String, String, UInt16?)])
    func read(text: String, host: String, port: UInt16?) throws {
        let address = try HostPort(text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isBracketed == (text.utf8.first == UInt8(ascii: "[")))
        #expect(address.description == text)
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ("host:", .port("")), ("host:+80", .port("+80")), ("host:65536", .port("65536")), ("host:٨٠", .port("٨٠")),
            ("[::1", .brackets), ("[::1]80", .brackets), ("[::1]:", .port("")), ("a:b:c", .port("c")),
            ("host:\u{301}80", .port("\u{301}80")), ("[\u{301}a", .brackets), ("a]\u{301}", .brackets),
        ] as [(String, HostPort.Problem)])
    func refused(text: String, problem: HostPort.Problem) {
        #expect(throws: problem) { try HostPort(text) }
    }

    @Test(
        "a host alone has no port, path, user or space, and the letters that browsers send",
        arguments: [
            ("museum.example", nil), ("::1", nil), ("[::1]", nil), ("10.0.0.1", nil), ("xn--mnchen-3ya.example", nil),
            ("", .form), ("museum:80", .form), ("http://museum", .form), ("museum/", .form), ("ann@museum", .form),
            ("a b", .form), ("a,b", .form), ("*.example", .form), ("a\u{7F}", .form), ("a\n", .form),
            ("鯨.example", .letters), ("münchen.example", .letters), ("a\u{301}", .letters), ("a\u{80}", .letters),
            ("münchen.example/", .form),
        ] as [(String, HostPort.HostProblem?)])
    func alone(text: String, problem: HostPort.HostProblem?) {
        #expect(HostPort.problem(ofHost: text) == problem)
    }

    @Test(
        "an IPv6 address without brackets loses its last group to the port, so the reader is told of the brackets")
    func bare() throws {
        let address = try HostPort("::1:80")
        #expect(address.host == "::1" && address.port == 80 && !address.isBracketed)
    }

    @Test(
        "a host is found whatever its port is",
        arguments: [
            ("pi:", "pi"), ("pi:99999", "pi"), ("pi:80", "pi"), ("pi", "pi"), ("[::1]:", "::1"), ("[::1", "::1"),
            ("", ""),
        ])
    func host(authority: String, host: String) {
        #expect(HostPort.host(of: authority) == host)
    }

    @Test(
        "this computer is known by its names and addresses",
        arguments: [
            ("localhost", true), ("LocalHost", true), ("pi.localhost", true), ("127.0.0.1", true), ("127.8.9.1", true),
            ("[::1]", true), ("127.0.0.1.example.org", false), ("localhost.example", false), ("192.168.0.1", false),
            ("128.0.0.1", false), ("", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try HostPort(text).isLoopback == isLoopback)
    }

    @Test("any text is read or refused, and what is read is written so that it is read again as the same")
    func anyText() {
        var random = SeededGenerator(seed: 7)
        let pieces = ["[", "]", ":", "80", "::1", "a", ".", "é", "@", " ", "99999", "\u{301}", "\u{600}"]
        var isRead = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
                .joined()
            guard let address = try? HostPort(text) else { continue }
            isRead += 1
            let again = try? HostPort(address.description)
            #expect(again?.host == address.host && again?.port == address.port, "\(text)")
        }
        #expect(isRead > 1000)
    }
}
