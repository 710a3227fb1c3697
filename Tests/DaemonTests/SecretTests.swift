import Control
import Daemon
import DaemonSettings
import Foundation
import Settings
import Testing

/// Tokens and passwords, in files and as systemd's credentials.
@Suite(.timeLimit(.minutes(10))) struct SecretTests {
    private let files: ConfigurationFolder

    init() throws { files = try ConfigurationFolder() }

    static let settings: [(credential: String, yaml: String)] = [
        ("content-token", "content:\n  base_url: https://h\n  token_file: "),
        ("http-token", "http:\n  listen: 0.0.0.0:0\n  token_file: "),
        ("mqtt-password", "mqtt:\n  url: mqtts://user@broker\n  password_file: "),
    ]

    static let bad = ["", "\n", "   \t \r\n", "\nsesame-open\n", "s3cr3t!", "sesame\0open-4711"]

    @Test("an empty or short secret, or one with a zero, is refused, and not shown", arguments: settings, bad)
    func emptyOrShort(setting: (credential: String, yaml: String), text: String) async throws {
        try files.write(text, to: "secret")
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await files.load(setting.yaml + "\(files.path)/secret")
        }
        let told = error?.description ?? ""
        #expect(
            told.contains("beacond.yaml:3:") && told.contains("/secret: holds no secret: its first line"), "\(told)")
        #expect(!told.contains("s3cr3t") && !told.contains("sesame"))
    }

    @Test("so is one of systemd's credentials", arguments: settings, bad)
    func soIsOneOfSystemds(setting: (credential: String, yaml: String), text: String) async throws {
        try files.write(text, to: setting.credential, mode: 0o400)
        let yaml = setting.yaml.split(separator: "\n").dropLast().joined(separator: "\n")
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await files.load(yaml, ["CREDENTIALS_DIRECTORY": files.path])
        }
        let told = error?.description ?? ""
        #expect(told.contains("\(files.path)/\(setting.credential): holds no secret: its first line"), "\(told)")
        #expect(!told.contains("s3cr3t") && !told.contains("sesame"))
    }

    @Test("a good one is taken without blanks at its ends")
    func goodOneIsTaken() async throws {
        try files.write("  open-sesame-4711 \r\nmore\n", to: "secret")
        let configuration = try await files.load("http:\n  listen: 0.0.0.0:0\n  token_file: \(files.path)/secret")
        #expect(configuration.control.token == "open-sesame-4711")
        #expect(configuration.warnings.isEmpty)
    }

    @Test("one that everybody can read is warned about", arguments: settings)
    func oneThatEverybody(setting: (credential: String, yaml: String)) async throws {
        try files.write("open-sesame-4711", to: "secret", mode: 0o644)
        let warnings = try await files.load(setting.yaml + "\(files.path)/secret").warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("beacond.yaml:3:") == true && warnings.first?.contains("chmod o-r") == true)
    }

    @Test(
        "one that goes over a network without TLS is warned about",
        arguments: [
            (
                "mqtt:\n  url: mqtt://user@broker\n  password_file: ",
                "beacond.yaml:2:8: mqtt.url: anyone on the way to broker"
            ),
            (
                "content:\n  base_url: http://h:80/x\n  token_file: ",
                "beacond.yaml:2:13: content.base_url: anyone on the way to h "
            ),
            ("content:\n  base_url: 'http://[2001:db8::1]/'\n  token_file: ", "on the way to 2001:db8::1 "),
            ("content:\n  base_url: http://127.0.0.1.example\n  token_file: ", "on the way to 127.0.0.1.example "),
            ("mqtt:\n  url: mqtts://user@broker\n  password_file: ", nil),
            ("mqtt:\n  url: mqtt://user@localhost\n  password_file: ", nil),
            ("content:\n  base_url: https://h\n  token_file: ", nil),
            ("content:\n  base_url: http://127.0.0.1:8080/x\n  token_file: ", nil),
            ("content:\n  base_url: 'http://[::1]:8080'\n  token_file: ", nil),
        ] as [(String, String?)])
    func oneThatGoes(yaml: String, told: String?) async throws {
        try files.write("open-sesame-4711", to: "secret")
        let warnings = try await files.load(yaml + "\(files.path)/secret").warnings
        #expect(warnings.count == (told == nil ? 0 : 1), "\(warnings)")
        if let told { #expect(warnings.first?.contains(told) == true, "\(warnings)") }
    }
}
