import Beacon
import Content
import Foundation
import SiteFormat
import Testing
import TestSupport
import Text

struct DocumentTests {
    static let hash = String(repeating: "aB", count: 32)
    static let full = """
        {"format":1,"beacon":{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":2,"name":"Hall"},
        "updated_at":"2026-01-01T00:00:00Z","future":{"a":[1,null,true]},"images":[
        {"id":"i1","title":"Münze","width_cm":12.5,"display":"hologram","asset":{"sha256":"\(hash)","bytes":10,
        "media_type":"image/png","more":1},"contents":[{"id":"c1","label":"Links","position":"left","kind":"map",
        "assets":[{"sha256":"\(hash)","bytes":10}],"video_url":"https://example.org/v",
        "coordinates":{"latitude":48.1,"longitude":11.6},"action":{"name":"call us","kind":"call",
        "value":"+49","parameters":{"x":[1,{"y":null}]},"description":"d","overlay_text":"o"}}],
        "fullscreen":{"title":"T","html":"<b>x</b>"}}]}
        """

    @Test("everything that the format has is read, and what it has not is passed over")
    func everythingThatFormat() throws {
        let manifest = try Manifest(json: Array(Self.full.utf8))
        #expect(manifest.beacon == ManifestBeacon(uuid: "\(hall.uuid)", major: 1, minor: 2, name: "Hall"))
        let image = try #require(manifest.images.first)
        #expect(image.widthCm == 12.5 && image.title == "Münze" && image.display?.rawValue == "hologram")
        #expect(image.fullscreen?.html == "<b>x</b>")
        let content = try #require(image.contents.first)
        #expect(content.kind == .map && content.position == .left && content.coordinates?.latitude == 48.1)
        #expect(content.action?.kind == .call && content.action?.overlayText == "o")
        #expect(content.action?.parameters == .object(["x": .array([.number(1), .object(["y": .null])])]))
        #expect(manifest.assets.map(\.sha256.description) == [Self.hash.lowercased()])
        #expect(try Manifest(json: Array(JSONEncoder().encode(manifest))) == manifest)
    }

    @Test("a wrong manifest is told with its place and a remedy", arguments: [
        (#"{"format":2,"images":[]}"#, "m: format: format 2 is not known"),
        (#"{"format":1}"#, "m: images: it is missing"),
        (#"{"format":1,"images":{}}"#, "m: images: it is not an array"),
        (#"{"format":1,"images":[{"id":1}]}"#, "m: images[0].id: it is not a string"),
        (#"{"format":1,"images":[{"id":"1","asset":{"sha256":"../../etc/passwd","bytes":1}}]}"#,
            "m: images[0].asset.sha256: a SHA-256 has 64 hexadecimal digits"),
        (#"{"format":1,"images":[{"id":"1","asset":{"sha256":"HASH","bytes":-1}}]}"#,
            "m: images[0].asset.bytes: a size is a whole number"),
        (#"{"format":1,"images":[{"id":"1","asset":{"sha256":"HASH","bytes":1e30}}]}"#,
            "m: images[0].asset.bytes: a size is a whole number"),
        (#"{"format":1e30,"images":[]}"#, "m: format: a whole number in range is needed"),
        (#"{"format":1,"beacon":{"uuid":"x","major":70000},"images":[]}"#,
            "m: beacon.major: a whole number from 0 to 65535 is needed"),
        (#"{"format":1,"images":[{"id":"1","width_cm":1e400}]}"#, "m: images[0].width_cm: a number in range is needed"),
        (#"{"format":1,"images":[{"id":"1","asset":null}]}"#, "m: images[0].asset: "),
        (#"{"format":1,"images":[{"id":"1","asset":7}]}"#, "m: images[0].asset: it is not an object"),
        (#"{"format":1,"images":[{"id":"1","asset":{"sha256":"HASH","bytes":1},"contents":[{"id":"a"}]}]}"#,
            "m: images[0].contents[0].kind: it is missing"),
        (#"{"format":1,"images":[{"id":"1","asset":{"sha256":"HASH","bytes":1}},"#
            + #"{"id":"2","asset":{"sha256":"HASH","bytes":2}}]}"#,
            "m: asset HASH is given with 1 and with 2 bytes"),
        ("<html>", "m: it is not valid JSON"), ("", "m: it is not valid JSON"), ("[]", "m: it is not an object"),
    ])
    func wrongManifest(json: String, message: String) throws {
        let hash = Self.hash.lowercased()
        let json = json.replacingOccurrences(of: "HASH", with: hash)
        let message = message.replacingOccurrences(of: "HASH", with: hash)
        let error = #expect(throws: ContentError.self) { try Manifest(json: Array(json.utf8), source: "m") }
        #expect(error?.code == .format)
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        #expect(error?.remedy.isEmpty == false)
    }

    @Test("no mutation of a manifest traps")
    func noMutation() throws {
        var generator = SeededGenerator(seed: 7)
        let original = Array(Self.full.utf8)
        let pieces = [
            "null", "-1", "1e999", "9223372036854775808", "\"", "{", "[[[[[[", "\\u0000", "\\ud800", "é", ",",
        ]
        var readable = 0
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0...generator.next(4) {
                let position = generator.next(bytes.count)
                switch generator.next(4) {
                case 0: bytes[position] = UInt8(generator.next(256))
                case 1: bytes.removeSubrange(position..<min(position + generator.next(40), bytes.count))
                case 2: bytes.insert(contentsOf: pieces[generator.next(pieces.count)].utf8, at: position)
                default: bytes.swapAt(position, generator.next(bytes.count))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            do {
                readable += try Manifest(json: bytes).images.isEmpty ? 0 : 1
            } catch {
                #expect(!"\(error)".isEmpty)
            }
            _ = try? SiteList(json: bytes)
        }
        #expect(readable > 0)
        let deep = Array(#"{"format":1,"images":[],"x":"#.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 500_000)
        #expect(throws: ContentError.self) { try Manifest(json: deep) }
    }

    // MARK: - The site list

    static func list(_ beacons: String, uncategorized: String = "null") -> [UInt8] {
        Array(#"{"format":1,"revision":3,"beacons":[\#(beacons)],"uncategorized":\#(uncategorized)}"#.utf8)
    }

    static func line(_ ids: String, _ manifest: String) -> String {
        #"{"uuid":"636F3F8F64914BEE95F7D8CC64A863B5",\#(ids)"name":"n","manifest":"\#(manifest)","sha256":"\#(hash)"}"#
    }

    @Test("the most exact entry counts")
    func mostExact() throws {
        let lines = [
            Self.line("", "u.json"), Self.line(#""major":1,"#, "m.json"), Self.line(#""major":1,"minor":1,"#, "b.json"),
        ]
        let list = try SiteList(
            json: Self.list(
                lines.joined(separator: ","), uncategorized: #"{"manifest":"z.json","sha256":"\#(Self.hash)"}"#))
        #expect(list.revision == 3)
        for (beacon, expected) in [(hall, "b.json"), (shop, "m.json"), (attic, "u.json"), (nil, "z.json")] {
            #expect(list.entry(for: beacon)?.entry.manifest.description == expected)
        }
        #expect(list.entry(for: BeaconID(uuid: ProximityUUID(1), major: 1, minor: 1)) == nil)
        #expect(try SiteList(json: Self.list("")).entry(for: nil) == nil)
    }

    @Test(
        "a number of a list that does not fit is told with its place",
        arguments: [
            (String(decoding: list(line(#""major":70000,"#, "m.json")), as: UTF8.self), "m: beacons[0].major: "),
            (String(decoding: list(line(#""major":1,"minor":-1,"#, "m.json")), as: UTF8.self), "m: beacons[0].minor: "),
            (#"{"format":1,"revision":1e30,"beacons":[]}"#, "m: revision: "),
        ])
    func listNumbers(json: String, message: String) {
        let error = #expect(throws: ContentError.self) { try SiteList(json: Array(json.utf8), source: "m") }
        #expect(error?.description.hasPrefix(message + "a whole number") == true, "\(error?.description ?? "")")
    }

    @Test("a number that does not fit is not called bad JSON, also where it has no place")
    func numberWithoutPlace() {
        let error = #expect(throws: ContentError.self) {
            try decodeDocument([Int8].self, json: Array("[1, 1e30]".utf8), source: "m")
        }
        #expect(error?.cause.contains("valid JSON") == false, "\(error?.description ?? "")")
    }

    @Test("paths that leave the site are refused")
    func pathsThatLeave() throws {
        for path in [
            "../x.json", "/../x", "a/../../x", "http://other/x.json", "//other/x.json", "a//b", "", "/", "a?b", "a#b",
            "a%2e%2e/b", #"a\\b"#, "a b", "mailto:x", ".", "a/./b", String(repeating: "a", count: 2000),
        ] {
            let error = #expect(throws: ContentError.self, "\(path)") {
                try SiteList(json: Self.list(Self.line(#""major":1,"#, path)))
            }
            #expect(error?.description.contains("beacons[0].manifest") == true)
        }
        for path in ["x.json", "v1/x.json", "/v1/x.json", "beacons/a/1/2.json"] {
            _ = try SiteList(json: Self.list(Self.line(#""major":1,"#, path)))
        }
    }

    @Test("contradictions in the list are told")
    func contradictionsInList() throws {
        let twice = Self.line("", "a.json") + "," + Self.line("", "b.json")
        #expect(throws: ContentError.self) { try SiteList(json: Self.list(twice)) }
        #expect(throws: ContentError.self) { try SiteList(json: Self.list(Self.line(#""minor":1,"#, "a.json"))) }
        let uuid = Self.line("", "a.json").replacingOccurrences(of: "636F", with: "../.")
        let error = #expect(throws: ContentError.self) { try SiteList(json: Self.list(uuid)) }
        #expect(error?.place.hasSuffix("beacons[0].uuid") == true)
    }

    // MARK: - Settings

    @Test("an unusable base URL is told with an example", arguments: [
        "", "content.example.org", "ftp://x", "file:///etc", "http://", "http:///x", "http://u:p@h", "http://h:0",
        "http://h:99999", "http://h:x", "http://h/?q", "http://h/#f", "http://h/../x", "http://h h", "http://ä",
        "http://[::1", "http://h/a b", "https://h:",
    ])
    func unusableBase(url: String) throws {
        let error = #expect(throws: ContentError.self) { try ContentSettings(baseURL: url, directory: "/tmp") }
        #expect(error?.code == .settings)
        #expect(error?.description.contains("https://content.example.org") == true)
    }

    @Test("usable base URLs")
    func usableBase() throws {
        for url in ["http://h", "HTTPS://h.example:8443/a/b/", "http://[::1]:80", "http://127.0.0.1:8080/x%20y"] {
            _ = try ContentSettings(baseURL: url, directory: "/tmp")
        }
        #expect(throws: ContentError.self) { try ContentSettings(baseURL: "http://h", directory: "") }
        for token in ["", "a b", "a\r\nX: y", "Bearer x"] {
            let error = #expect(throws: ContentError.self) {
                try ContentSettings(baseURL: "http://h", directory: "/tmp", token: token)
            }
            #expect(error?.description.contains("X: y") == false)
        }
    }
}

extension SeededGenerator {
    /// A number from 0, below this one.
    fileprivate mutating func next(_ bound: Int) -> Int {
        let number: UInt64 = next()
        return Int(number % UInt64(bound))
    }
}
