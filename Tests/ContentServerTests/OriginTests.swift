import ContentServer
import TestSupport
import Testing

@Suite("Where a request comes from")
struct OriginTests {
    private func origin(_ peer: String, _ forwarded: String?, _ proto: String? = nil) -> ClientOrigin {
        ClientOrigin(
            peer: peer, isEncrypted: false, forwardedFor: forwarded, forwardedProto: proto,
            proxies: ["10.0.0.0/8", "::1", "192.0.2.7"].compactMap { AddressRange($0) })
    }

    @Test("is the peer, unless that is a named proxy")
    func peer() {
        #expect(origin("198.51.100.1", "203.0.113.5", "https") == origin("198.51.100.1", nil))
        #expect(origin("10.1.2.3", "203.0.113.5", "https").address == "203.0.113.5")
        #expect(origin("10.1.2.3", nil, "https").isSecure)
        #expect(!origin("10.1.2.3", nil, "https, http").isSecure)
        #expect(origin("::1", "2001:db8::5").address == "2001:db8::5")
        #expect(origin("::ffff:10.0.0.1", "203.0.113.5").address == "203.0.113.5")
    }

    @Test("is what the nearest proxy saw, not what the client wrote")
    func chain() {
        #expect(origin("10.0.0.1", "1.1.1.1, 203.0.113.5").address == "203.0.113.5")
        #expect(origin("10.0.0.1", "1.1.1.1, 203.0.113.5, 192.0.2.7").address == "203.0.113.5")
        #expect(origin("10.0.0.1", "nonsense").address == "10.0.0.1")
        #expect(origin("10.0.0.1", "203.0.113.5, nonsense").address == "10.0.0.1")
        #expect(origin("10.0.0.1", "0.0.0.0/0").address == "10.0.0.1")
        // For Swift, each of these is one character with a comma.
        #expect(origin("10.0.0.1", "x\u{600}, 203.0.113.5").address == "203.0.113.5")
        #expect(origin("10.0.0.1", "203.0.113.5,\u{301}").address == "10.0.0.1")
        #expect(origin("10.0.0.1", nil, "http\u{600}, https").isSecure)
    }

    @Test("is compared with a network bit by bit")
    func networks() throws {
        let network = try #require(AddressRange("10.32.0.0/11"))
        #expect(network.contains("10.63.255.255") && !network.contains("10.64.0.0"))
        #expect(try #require(AddressRange("0.0.0.0/0")).contains("1.2.3.4"))
        #expect(!(try #require(AddressRange("0.0.0.0/0")).contains("::2")))
        #expect(AddressRange("10.0.0.0/33") == nil && AddressRange("10.0.0") == nil && AddressRange("") == nil)
    }
}
