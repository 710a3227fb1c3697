import Beacon
import Content
import Curation
import Listening
import Reports
import Settings
import SiteFormat
import Text

extension FuzzTarget {
    /// Where things are: hosts, ports, brokers, sources, URLs.
    static let address = FuzzTarget(
        text: "address",
        words: [
            "mqtt://", "mqtts://", "https://", "h4:tcp:", "h4:unix:", "h4:serial:", "file:", "hci0", "emulated:",
            "[::1]", "%41",
        ],
        longestInput: 2000
    ) {
        [
            "mqtt://user@broker:1883", "mqtts://[::1]:8883/", "127.0.0.1:8080", "[::1]:80", "*:9", "hci0", "auto",
            "h4:tcp:127.0.0.1:6402", "h4:unix:/run/x", "file:walk.btsnoop", "emulated", "bluetoothd:hci1",
            "https://content.example.org/museum", "http://user:password@proxy.example.org:3128",
        ]
    } check: { text in
        if let address = try? HostPort(text) {
            // A host with a colon is only written with brackets.
            if address.isBracketed || !address.host.contains(":"), !address.host.isEmpty {
                let again = try? HostPort(address.description)
                try require(
                    again?.host == address.host && again?.port == address.port,
                    "an address that is not read as it is shown")
            }
        }
        if let listen = try refusing({ try ListenAddress(text) }) {
            let again = try ListenAddress(listen.description)
            try require(again == listen, "an address to listen on that is not read as it is shown")
        }
        if let broker = try refusing({ try BrokerAddress(text) }) {
            let again = try BrokerAddress(broker.description)
            try require(
                (again.host, again.port) == (broker.host, broker.port), "a broker that is not read as it is shown")
        }
        _ = try refusing { try SourceSpec(text) }
        _ = try refusing { try SiteKey(text) }
        _ = try refusing { try ContentSettings(baseURL: text, directory: "/") }
        if let proxy = try refusing({ try ProxySettings.Server(text) }) {
            try require((1...65_535).contains(proxy.port), "a proxy at port \(proxy.port)")
        }
        if Topics.isPrefix(text) {
            let topic = Topics(prefix: text, host: text).status
            try require(!topic.contains { "+#\0".contains($0) }, "a topic with a wildcard")
        }
        if let path = ManifestPath(text) { try require(ManifestPath(path.description) == path, "another path") }
    }

    /// Times, numbers and identities that stand in files, forms and requests.
    static let value = FuzzTarget(
        text: "value",
        words: [
            "2026-01-01T00:00:00Z", "Sun, 06 Nov 1994 08:49:37 GMT", "48.2082° N", "48°12'29.5\"N", "geo:", "+43", "E",
        ],
        longestInput: 500
    ) {
        [
            "2026-01-01T00:00:00.5+01:00", "0000-01-01 00:00:00-23:59", "Sun, 06 Nov 1994 08:49:37 GMT", "120",
            "636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/2", "1.2", "Kitchen", "48.2082, 16.3738",
            "48°12'29.5\"N 16°22'25.7\"E",
            "geo:48.2,16.4;u=35", "+43 1 234567", "info@example.org", "https://example.org/ä?q=1#x", "de-AT",
            "2026-02-29T12:00", "1,5", "11:22:33:44:55:66", "24h", "0.5d",
        ]
    } check: { text in
        if let time = Timestamp(rfc3339: text) {
            // Years before 0 and after 9999 come of an offset, and have no RFC 3339.
            let again = Timestamp(rfc3339: time.rfc3339)
            try require(
                again == time || !(0...253_402_300_799_999_999).contains(time.microseconds + 62_167_219_200_000_000),
                "a time that is not read as it is written")
        }
        if let seconds = HTTPDate.seconds(text) {
            let written = HTTPDate.text(Timestamp(microseconds: seconds * 1_000_000))
            try require(HTTPDate.seconds(written) == seconds, "a date that is not read as it is written")
        }
        if let pause = RetryAfter.duration(text, now: 1_700_000_000) {
            try require(pause >= .zero && pause <= .seconds(1_000_000), "a pause of \(pause)")
        }
        if case .ago(let seconds)? = ReportMoment(text) {
            try require(seconds > 0 && seconds <= 1e9, "a moment \(seconds) s ago")
        }
        if let uuid = ProximityUUID(text) { try require(ProximityUUID(uuid.description) == uuid, "another UUID") }
        if let id = BeaconID(text) { try require(BeaconID(id.description) == id, "another identity") }
        if let address = DeviceAddress(text) {
            try require(DeviceAddress(address.description) == address, "another device address")
        }
        if let hash = AssetHash(text) { try require(AssetHash(hash.description) == hash, "another hash") }
        if let scope = ContentScope(text) { try require(ContentScope(scope.description) == scope, "another scope") }
        if let moment = Moment(text) { try require(Moment(moment.description) == moment, "another moment") }
        if let query = BeaconQuery(argument: text) {
            let id = BeaconID(uuid: ProximityUUID(1), major: 1, minor: 2)
            _ = query.matches(id, name: text)
            _ = try refusing(atMost: 4000) { try query.only(among: [id], names: [id: text]) }
        }
        try checkFields(text)
    }
}

/// What curators type. Each reader accepts what it has made.
private func checkFields(_ text: String) throws {
    let readers: [(String, (String) throws(Problem) -> String)] = [
        ("a link", LinkAddress.read), ("a mail address", MailAddress.read), ("a phone number", PhoneNumber.read),
        ("a page's link", PageLink.read),
        ("coordinates", { (text) throws(Problem) in CoordinateText.text(try CoordinateText.read(text)) }),
    ]
    for (what, read) in readers {
        guard let value = try refusingProblem({ () throws(Problem) in try read(text) }) else { continue }
        let again = try? read(value)
        try require(again == value, "\(what) that is read differently again: \(value.debugDescription)")
    }
    _ = try refusingProblem { () throws(Problem) in try FieldText.whole(text, in: -5...5) }
    _ = try refusingProblem { () throws(Problem) in try FieldText.decimal(text) }
    _ = try refusingProblem { () throws(Problem) in try FieldText.moment(text) }
    _ = try refusingProblem { () throws(Problem) in try FieldText.language(text) }
    _ = try refusingProblem { () throws(Problem) in try FieldText.number(text) }
}

/// As `refusing`, for problems whose text has to be made.
func refusingProblem<Value>(_ body: () throws(Problem) -> Value) throws(BrokenInvariant) -> Value? {
    do throws(Problem) {
        return try body()
    } catch {
        try requireShown(error.english)
        return nil
    }
}
