import Beacon
import ESPHome
import TestSupport
import Testing
import Text

private let iBeacon = bytes("02 01 06 1A FF 4C 00 02 15 7A0E5F3C22C14B1B9E0D3F5A6B7C8D9E 0001 0007 C5")

/// What a proxy sends, without encryption.
private enum Proxy {
    static func frame(_ type: UInt64, _ fill: (inout ProtobufWriter) -> Void = { _ in }) -> [UInt8] {
        var writer = ProtobufWriter()
        fill(&writer)
        return PlainFraming.octets(ProxyFrame(type: type, payload: writer.octets))
    }

    static var hello: [UInt8] {
        frame(2) { writer in
            writer.number(1, 1)
            writer.text(4, "proxy")
        }
    }

    static func device(features: UInt64 = 0x61) -> [UInt8] {
        frame(10) { writer in
            writer.text(2, "proxy-hall")
            writer.text(4, "2026.9.1")
            writer.number(15, features)
        }
    }

    /// 93: a message in a message, as aioesphomeapi encodes it.
    static func advertisement(_ payload: [UInt8], rssi: Int64) -> [UInt8] {
        let rssi = UInt64(bitPattern: rssi << 1 ^ rssi >> 63)
        let inner = [0x08] + Varint.octets(0xAABB_CCDD_EEFF) + [0x10] + Varint.octets(rssi) + [0x18, 1, 0x22]
            + Varint.octets(UInt64(payload.count)) + payload
        return PlainFraming.octets(ProxyFrame(type: 93, payload: [0x0A] + Varint.octets(UInt64(inner.count)) + inner))
    }
}

@Suite struct ProxyTests {
    private func session() throws -> ProxySession { try ProxySession(key: nil, client: "bridge", at: 0) }

    private func frames(_ octets: [UInt8]) throws -> [UInt64] {
        var framing = PlainFraming()
        framing.add(octets)
        var types: [UInt64] = []
        while let frame = try framing.next() { types.append(frame.type) }
        return types
    }

    @Test(
        "a proxy is greeted, asked what it is, and then listened to, however its octets are cut",
        arguments: [1, 2, 7, 1000])
    func listening(piece: Int) throws {
        var session = try session()
        #expect(try frames(session.opening) == [1, 3, 9])
        let all = Proxy.hello + Proxy.device() + Proxy.advertisement(iBeacon, rssi: -63) + Proxy.frame(7)
        var output = ProxySession.Output()
        for begin in stride(from: 0, to: all.count, by: piece) {
            let part = try session.take(Array(all[begin..<min(all.count, begin + piece)]), at: 1)
            output.octets += part.octets
            output.news += part.news
        }
        #expect(try frames(output.octets) == [66, 8])
        #expect(output.news.first == .listening(name: "proxy-hall", version: "2026.9.1"))
        guard case .advertisements(let advertisements) = try #require(output.news.last) else {
            Issue.record("no advertisements: \(output.news)")
            return
        }
        let sighting = try #require(advertisements.first?.sighting(at: Timestamp(seconds: 5)))
        #expect(sighting.beacon.id == BeaconID("7a0e5f3c-22c1-4b1b-9e0d-3f5a6b7c8d9e/1/7"))
        #expect(sighting.beacon.measuredPower == -59)
        #expect(sighting.rssi == -63)
        #expect(sighting.address == DeviceAddress("AA:BB:CC:DD:EE:FF"))
        #expect(sighting.addressType == .random)
    }

    @Test("what is no iBeacon is none, and 127 is no level", arguments: [
            ([], -60, false, nil), (bytes("0201060303AAFE"), -60, false, nil), (iBeacon, 127, true, nil),
            (iBeacon, -128, true, -128),
        (iBeacon, 4000, true, nil),
    ] as [([UInt8], Int64, Bool, Int8?)])
    func sightings(payload: [UInt8], rssi: Int64, isBeacon: Bool, level: Int8?) {
        let advertisement = ProxyMessage.Advertisement(
            address: DeviceAddress(1), isRandomAddress: false, rssi: rssi, payload: payload)
        let sighting = advertisement.sighting(at: Timestamp(seconds: 5))
        #expect((sighting != nil) == isBeacon)
        #expect(sighting?.rssi == level)
    }

    @Test("what is wrong is said, with what to do", arguments: [
        (Proxy.device(features: 0), "bluetooth_proxy"), (Proxy.device(features: 1), "update it"),
        (Proxy.frame(4) { $0.number(1, 1) }, "encryption"), (Proxy.frame(5), "ended the connection"),
        ([1, 0, 5], "--encryption-key-file"), (Array("HTTP/1.1 400".utf8), "6053"),
        (Proxy.frame(2) { $0.number(1, 9) }, "version 9"),
        ([0] + Varint.octets(60 << 20) + [93], "no proxy"), ([0] + [UInt8](repeating: 0xFF, count: 12), "6053"),
        (PlainFraming.octets(ProxyFrame(type: 93, payload: [0x0A, 0x7F])), "cannot be read"),
        (PlainFraming.octets(ProxyFrame(type: 93, payload: [0x0B, 0x7F])), "cannot be read"),
    ] as [([UInt8], String)])
    func problems(octets: [UInt8], reason: String) throws {
        var session = try session()
        let problem = #expect(throws: ProxyProblem.self) { try session.take(octets, at: 1) }
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test("a proxy is pinged, and one that is silent for a minute is lost")
    func pings() throws {
        var session = try session()
        _ = try session.take(Proxy.hello + Proxy.device(), at: 1)
        var pings = 0
        for second in 2...60 where try frames(session.tick(at: Double(second))) == [7] { pings += 1 }
        #expect(pings == 3)
        let problem = #expect(throws: ProxyProblem.self) { try session.tick(at: 70) }
        #expect(problem?.description.contains("does not answer any more") == true)
    }

    @Test("one that ends the connection at once may want something else", arguments: [true, false])
    func end(isEncrypted: Bool) throws {
        let key = isEncrypted ? ProxyKey("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=") : nil
        let session = try ProxySession(key: key, client: "bridge", at: 0)
        #expect(session.end.description.contains(isEncrypted ? "does its api: have" : "--encryption-key-file"))
        var listening = try self.session()
        _ = try listening.take(Proxy.hello + Proxy.device(), at: 1)
        #expect(listening.end.description == "it has ended the connection")
    }

    @Test("one that never says what it is, is given up, also if it says other things")
    func silent() throws {
        var session = try session()
        for second in 1..<20 {
            _ = try session.tick(at: Double(second))
            _ = try session.take(Proxy.frame(7), at: Double(second))
        }
        #expect(throws: ProxyProblem.self) { try session.tick(at: 20) }
    }

    @Test("numbers of variable length are read as they are written, and too long ones are refused", arguments: [
        0, 1, 127, 128, 16_383, 16_384, UInt64(UInt32.max), UInt64.max,
    ])
    func numbers(value: UInt64) {
        let octets = Varint.octets(value)
        var position = 0
        #expect(Varint.read(octets[...], at: &position) == value)
        #expect(position == octets.count)
        for count in 0..<octets.count {
            position = 0
            #expect(Varint.read(octets.prefix(count), at: &position) == nil)
        }
        position = 0
        #expect(Varint.read(([UInt8](repeating: 0xFF, count: 9) + [2])[...], at: &position) == nil)
    }

    @Test(
        "signed numbers are the small ones first",
        arguments: [(0, 0), (1, -1), (2, 1), (125, -63), (UInt64.max, Int64.min)])
    func zigzag(wire: UInt64, value: Int64) {
        #expect(Varint.zigzag(wire) == value)
    }

    @Test("any octets are read or refused, with and without encryption")
    func anything() throws {
        var random = SeededGenerator(seed: 4)
        let seed =
            Proxy.hello + Proxy.device() + Proxy.advertisement(iBeacon, rssi: -63)
            + Proxy.frame(126) { $0.number(1, 2) }
        var read = 0
        for _ in 0..<3000 {
            var octets = seed
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                octets[.random(in: 0..<octets.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            for key in [nil, ProxyKey("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")] {
                var session = try ProxySession(key: key, client: "bridge", at: 0)
                if key != nil { octets[0] = 1 }
                do throws(ProxyProblem) {
                    _ = try session.take(octets, at: 1)
                    read += 1
                } catch {
                    #expect(!error.description.isEmpty && error.description.utf8.count < 600)
                }
            }
        }
        #expect(read > 0)
    }
}
