import HCI
import Settings

/// One setting: where it stands, what it may hold, and what it is for. The list of them is the configuration's schema.
package struct ConfigurationKey: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case text
        case texts
        /// A relative one is meant from the folder of the configuration's file, or else from the current one.
        case path
        case flag
        case choice([String])
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        /// Read by `RangingConfiguration`.
        case ranging

        var isPath: Bool { self == .path }
    }

    /// With dots between the levels: `content.base_url`.
    package var name: String
    package var kind: Kind
    /// For the documentation and the commented default file.
    package var help: String

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Why a text cannot be this setting's value, or nil when it can.
    func problem(with text: String) -> String? {
        switch kind {
        case .text, .texts, .path:
            return text.isEmpty ? "is empty" : nil
        case .flag:
            return Self.flag(text) == nil ? "is \"\(text)\", but must be true or false" : nil
        case .choice(let allowed):
            return allowed.contains(text)
                ? nil : "is \"\(text)\", but must be one of \(allowed.joined(separator: ", "))"
        case .integer(let range):
            guard let value = Int(text), range.contains(value) else {
                return "is \"\(text)\", but must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .number(let range):
            guard let value = Double(text), range.contains(value) else {
                return "is \"\(text)\", but must be a number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .ranging: return nil
        }
    }

    /// YAML 1.2 (core schema), and what people write in environment variables.
    static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    /// The variable that overrides it: `BEACOND_CONTENT_BASE_URL`.
    var variable: String {
        "BEACOND_" + name.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }
}

extension ConfigurationKey {
    static let sources = ConfigurationKey("sources", .texts, "Where to listen: hci0, h4:tcp:HOST:PORT, sim, …")
    static let activeScan = ConfigurationKey("scan.active", .flag, "Scan actively, so that scan responses are heard.")
    static let scanProfile = ConfigurationKey(
        "scan.profile", .choice(ScanProfile.allCases.map(\.rawValue)),
        "How much of the time to listen: dedicated (always), balanced (half), wifi-friendly (a tenth).")
    static let silence = ConfigurationKey(
        "scan.silence_s", .number(5...86_400), "Silence after which an adapter is taken to be deaf.")
    static let referenceBeacons = ConfigurationKey(
        "scan.reference_beacons", .texts,
        "Beacons that always are in reach, as UUID/MAJOR/MINOR: where they should be heard, 10 s of silence are enough."
    )
    static let stateDirectory = ConfigurationKey("directories.state", .path, "Where content is kept.")
    static let cacheDirectory = ConfigurationKey("directories.cache", .path, "Where what can be lost is kept.")

    /// Every setting there is.
    package static let all: [ConfigurationKey] = [
        sources, activeScan, scanProfile, silence, referenceBeacons, stateDirectory, cacheDirectory,
    ] + content + control + [bus] + hooks + mqtt + history + ranging

    private static let ranging =
        RangingSetting.all.map { ConfigurationKey($0.name, .ranging, $0.help) }
        + [
            ConfigurationKey("ranging.corrections", .ranging, "What is known better than beacons claim."),
            ConfigurationKey("ranging.receivers", .ranging, "dB added to what a source reads."),
            ConfigurationKey("regions", .ranging, "Places to watch, known by their beacons."),
        ]
}
