import ArgumentParser
import Beacon
import Console
import HCI
import Text

struct DecodeCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decodes advertising payloads, or whole HCI packets, given in hex.",
        discussion: """
            One JSON line for each payload: the iBeacon in it, null when there is none, or {"error": …}. Payloads come \
            as arguments, or one a line on standard input. Spaces and colons are allowed. --format text is for people.
            """)

    @Flag(name: .long, help: "Each line is a whole H4 packet (043e…); the output is an array of its reports.")
    var hci = false

    @OptionGroup var result: ResultOptions<DecodeFormat>

    @Argument(help: ArgumentHelp("Payloads in hex; without any, lines of standard input.", valueName: "hex"))
    var payloads: [String] = []

    func run() async throws {
        var decoder = PayloadDecoder(isHCI: hci, format: result.format)
        if payloads.isEmpty {
            try FilesApart.require([.lines])
            try StandardInput.requireReadable()
            while let line = readLine(strippingNewline: true) {
                Program.output(decoder.line(for: line) + "\n")
            }
        } else {
            for payload in payloads {
                Program.output(decoder.line(for: payload) + "\n")
            }
        }
        if decoder.hasFailed { throw CommandFailure.reported }
    }
}

/// The formats for decoded payloads.
enum DecodeFormat: String, ResultFormat {
    case json
    case text

    static let standard = json
    static let help = "json (a line for each) or text."
}

/// Turns one line of hex into one line of JSON, or into text.
private struct PayloadDecoder {
    let isHCI: Bool
    let format: DecodeFormat
    private(set) var hasFailed = false
    private var decoder = SightingDecoder()

    init(isHCI: Bool, format: DecodeFormat) {
        self.isHCI = isHCI
        self.format = format
    }

    mutating func line(for text: String) -> String {
        switch HexBytes.parse(text) {
        case .failure(let problem):
            return failure(problem.description)
        case .success(let bytes):
            return isHCI ? packet(bytes) : payload(bytes)
        }
    }

    private mutating func payload(_ bytes: [UInt8]) -> String {
        let beacon = IBeacon.first(in: bytes.span.bytes)
        if format == .text { return Self.text(beacon) }
        var json = JSONText()
        write(beacon, key: nil, to: &json)
        return json.text
    }

    private static func text(_ beacon: IBeacon?) -> String {
        guard let beacon else { return "no iBeacon" }
        return "\(beacon.id.uuid.uppercased)/\(beacon.id.major)/\(beacon.id.minor)  \(beacon.measuredPower) dBm at 1 m"
    }

    private mutating func packet(_ bytes: [UInt8]) -> String {
        guard bytes.count >= 3, bytes[0] == PacketType.event.rawValue else {
            return failure("no HCI event: an H4 packet of an event starts with 04, its code and its length")
        }
        let event = bytes.span.bytes.extracting(1..<bytes.count)
        if format == .text { return text(event) }
        var json = JSONText()
        json.array { json in
            guard var reports = AdvertisingReports(event: event) else { return }
            while let report = reports.next(in: event) {
                let beacon = decoder.decode(report, in: event)
                json.object { json in
                    json.value("address", report.sender?.description)
                    json.value("event_type", Int(report.eventType))
                    json.value("rssi", report.rssi.map(Int.init))
                    write(beacon, key: "ibeacon", to: &json)
                }
            }
        }
        return json.text
    }

    /// One line for each report.
    private mutating func text(_ event: RawSpan) -> String {
        guard var reports = AdvertisingReports(event: event) else { return "no advertising reports" }
        var lines: [String] = []
        while let report = reports.next(in: event) {
            let level = report.rssi.map { "\($0) dBm" } ?? "-"
            let sender = pad(report.sender?.description ?? "anonymous", -17)
            lines.append("\(sender)  \(pad(level, 8))  \(Self.text(decoder.decode(report, in: event)))")
        }
        return lines.isEmpty ? "no advertising reports" : lines.joined(separator: "\n")
    }

    private func write(_ beacon: IBeacon?, key: String?, to json: inout JSONText) {
        guard let beacon else { return json.value(key, String?.none) }
        json.object(key) { json in
            json.value("uuid", beacon.id.uuid.description)
            json.value("major", Int(beacon.id.major))
            json.value("minor", Int(beacon.id.minor))
            json.value("measured_power", Int(beacon.measuredPower))
        }
    }

    private mutating func failure(_ message: String) -> String {
        hasFailed = true
        if format == .text { return "error: \(message)" }
        var json = JSONText()
        json.object { $0.value("error", message) }
        return json.text
    }
}
