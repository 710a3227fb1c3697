import Content
import DaemonSettings
import Foundation
import Listening
import Settings
import Testing

/// What the schema says that a reload changes is what the parts of the daemon compare.
@Suite(.timeLimit(.minutes(10))) struct ReloadTableTests {
    private static let base = """
        sources: [hci0]
        content: {base_url: "https://h", ca_file: a.pem, token_file: secret-a}
        control: {socket: /run/a}
        http: {listen: 8080, token_file: secret-a}
        hooks: {entered: [/bin/true]}
        mqtt: {url: "mqtts://u@h", host: hall, password_file: secret-a, ca_file: a.pem, certificate_file: a.pem, key_file: a.pem}
        fleet: {room: Hall 1, position: [1, 2], beacon: true}
        reports: {enabled: true, host: hall, token_file: secret-a}
        directories: {state: /s, cache: /c}
        """

    private static let key = "6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="

    private static let samples = [
        "b.pem", "secret-b", "sim", "true", "false", "likely", "balanced", "arma", "0.5", "1.5", "7", "2", "90", "700",
        "8081", "3,4", "0.9", "20000000", "mqtt", "/b", "/bin/echo", "https://b", "http://b:1", "mqtts://u@b", key,
        "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/2",
    ]

    @Test("a change restarts what the schema says", arguments: Setting.all.filter { $0.path != nil }.map(\.name))
    func changeRestarts(name: String) async throws {
        let files = try ConfigurationFolder()
        defer { try? FileManager.default.removeItem(atPath: files.path) }
        for sample in ["a", "b"] {
            try files.write(
                "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n\(sample)\n", to: "\(sample).pem")
            try files.write("open-sesame-4711-\(sample)\n", to: "secret-\(sample)")
        }
        let file = files.path + "/beacond.yaml"
        try files.write(Self.base, to: "beacond.yaml")
        let setting = try #require(Setting.all.first { $0.name == name })
        let before = try await DaemonConfiguration.load(file: file, environment: [:])
        let needsFile = name.hasSuffix("_file")
        var after: DaemonConfiguration?
        for sample in Self.samples where after == nil {
            let isFile = sample == "b.pem" || sample.hasPrefix("secret")
            guard isFile == needsFile else { continue }
            let new = try? await DaemonConfiguration.load(
                file: file, environment: [setting.variable: isFile ? "\(files.path)/\(sample)" : sample])
            guard let new, Self.isDifferent(new, before) else { continue }
            after = new
        }
        let changed = Self.changed(before, try #require(after, "no sample changes it"))
        switch setting.change {
        case .used, .needsRestart: #expect(changed.isEmpty)
        case .restarts(let parts): #expect(changed == Set(parts))
        case .restartsSources: #expect(changed == ["listening"])
        case .startsAndEndsSources: #expect(changed == ["sources"])
        }
    }

    private static func isDifferent(_ one: DaemonConfiguration, _ other: DaemonConfiguration) -> Bool {
        !changed(one, other).isEmpty || one.ranging != other.ranging || one.cacheDirectory != other.cacheDirectory
    }

    private static func changed(_ one: DaemonConfiguration, _ other: DaemonConfiguration) -> Set<String> {
        let differences: [(String, Bool)] = [
            ("sources", one.sources != other.sources), ("listening", one.listening != other.listening),
            ("content", one.content != other.content), ("control", one.control.locally != other.control.locally),
            ("http", one.control.overNetwork != other.control.overNetwork), ("dbus", one.bus != other.bus),
            ("hooks", one.hooks != other.hooks), ("mqtt", one.mqtt != other.mqtt),
            ("history", one.history != other.history), ("health", one.health != other.health),
            ("reports", one.reports != other.reports),
        ]
        return Set(differences.filter(\.1).map(\.0))
    }
}
