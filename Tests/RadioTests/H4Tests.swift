import Radio
import Testing
import Text

@Suite("H4 endpoints")
struct H4EndpointTests {
    @Test(
        "are read",
        arguments: [
            ("tcp:localhost:7402", H4Endpoint.tcp(host: "localhost", port: 7402)),
            ("tcp:[::1]:7402", .tcp(host: "::1", port: 7402)), ("unix:/run/hci", .unix(path: "/run/hci")),
            ("serial:/dev/ttyAMA0", .serial(device: "/dev/ttyAMA0", baud: 115_200)),
            ("serial:/dev/ttyS1,921600", .serial(device: "/dev/ttyS1", baud: 921_600)),
            ("unix:\u{301}x", .unix(path: "\u{301}x")),
            ("serial:/dev/x\u{600},921600", .serial(device: "/dev/x\u{600}", baud: 921_600)),
        ])
    func good(_ text: String, _ expected: H4Endpoint) throws {
        #expect(try H4Endpoint(text, of: "h4:" + text) == expected)
    }

    @Test(
        "that are wrong say what is wrong",
        arguments: [
            ("tcp:localhost", "no host and port"), ("tcp:localhost:0", "port \"0\""), ("tcp::80", "no host and port"),
            ("tcp:h:99999", "port \"99999\""), ("unix:", "no path"), ("serial:", "no device"),
            ("serial:/dev/ttyS1,123", "speed \"123\""), ("udp:x", "names no transport"),
        ])
    func bad(_ text: String, _ words: String) {
        let error = #expect(throws: RadioError.self) { try H4Endpoint(text, of: "h4:" + text) }
        #expect(error?.code == .badSource)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("h4:" + text) == true)
    }
}
