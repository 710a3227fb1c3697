import Beacon
import ContentServer
import Crypto
import CurationStore
import Foundation
import SiteFormat

private let hash = String(repeating: "ab", count: 32)
private let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"
private let listSeed = """
    {"format":1,"revision":7,"updated_at":"2026-01-01T00:00:00Z","key_id":"k","languages":["de","en"],
    "reports":"/v1/reports","beacons":[{"uuid":"\(uuid)","major":1,"minor":2,"name":"Hall","manifest":"v1/m/1.json",
    "sha256":"\(hash)"},{"uuid":"\(uuid)","manifest":"a.json","sha256":"\(hash)"}],
    "uncategorized":{"manifest":"u.json","sha256":"\(hash)"}}
    """
private let manifestSeed = """
    {"format":1,"beacon":{"uuid":"\(uuid)","major":1,"minor":2,"name":"Hall"},"language":"de","fallback":["en"],
    "images":[{"id":"i","title":"T","width_cm":20.5,"display":"overlay","sha256":"\(hash)","bytes":10,"media_type":"image/png",
    "alt":"A","contents":[{"id":"c","label":"L","position":"left","kind":"map","coordinates":{"latitude":48.2,"longitude":16.4},
    "action":{"kind":"open_url","value":"https://example.org","parameters":{"a":[1,null]}}}],
    "fullscreen":{"title":"F","html":"<p>x</p>"},"valid_from":"2026-01-01T00:00:00Z","tags":["a"]}],
    "variants":{"en":{"beacon":{"name":"Hall"},"images":[]}}}
    """
private let reportSeed = """
    {"format":1,"host":"pi","version":"0.1","period_start":"2026-01-01T00:00:00Z","period_end":"2026-01-01T00:01:00Z",
    "revision":3,"complete":true,"missing":0,"problems":["x"],"scanner":"ok","beacons":[{"uuid":"\(uuid)","major":1,"minor":2,
    "rssi":-60.5,"interval_ms":100,"last_seen":"2026-01-01T00:00:59Z"}],"dwell":[{"uuid":"\(uuid)","major":1,"minor":2,
    "revision":3,"seconds":12.5,"visits":1}]}
    """
let jsonWords = [
    "\"format\"", "\"beacons\":[", "\"sha256\"", "\"manifest\"", "\\u0000", "\\ud800", "1e400", "-0", "null", "[[[[[[",
]

extension FuzzTarget {
    /// The list of a site, and the signature that may belong to it.
    static let siteList = FuzzTarget("site-list", words: jsonWords, longestInput: 8192) {
        [Array(listSeed.utf8)]
    } check: { json in
        guard let list = try refusing({ try SiteList(json: json) }) else { return }
        try require(list.entries.count <= json.count / 64, "more entries than the list has room for")
        let written = try list.json()
        let again = try SiteList(json: written)
        try require(try again.json() == written, "a list that is read differently again")
        let key = Curve25519.Signing.PrivateKey()
        let keys = [try SiteKey(Data(key.publicKey.rawRepresentation).base64EncodedString())]
        let isRefused = try refusing {
            try keys.check(list, bytes: json, signature: Array(json.prefix(64)), source: "site.json")
        } == nil
        try require(isRefused, "a signature by nobody is accepted")
    }

    static let manifest = FuzzTarget("manifest", words: jsonWords, longestInput: 8192) {
        [Array(manifestSeed.utf8)]
    } check: { json in
        guard let manifest = try refusing({ try Manifest(json: json) }) else { return }
        let written = try encodeDocument(manifest)
        let again = try Manifest(json: written)
        try require(try encodeDocument(again) == written, "a manifest that is read differently again")
    }

    /// A message of a device at the broker: the topic's line, then the report.
    static let deviceReport = FuzzTarget("device-report", words: jsonWords, longestInput: 8192) {
        ["beacond/pi/report\n" + reportSeed, "beacond/pi/events/x\n{}"].map { Array($0.utf8) }
    } check: { message in
        let topic = String(decoding: message.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        var judge = ReportJudge(ReportTopics(prefix: "beacond"))
        let payload = Array(message.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
        switch judge.judge(topic: topic, payload: payload, isRetained: false, at: 0) {
        case .refuse(let why): try requireShown(why)
        case .take(let host, _): try require("beacond/\(host)/report" == topic, "a report of another device")
        }
        guard let report = try refusing({ try DeviceReport(json: payload) }) else { return }
        let written = try report.json()
        let again = try DeviceReport(json: written)
        try require(try again.json() == written, "a report that is read differently again")
    }
}
