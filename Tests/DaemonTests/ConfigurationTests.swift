import Content
import Daemon
import Foundation
import Listening
import Ranging
import SiteSettings
import Testing

@Suite("The configuration")
struct ConfigurationTests {
    private func load(
        _ yaml: String, _ environment: [String: String] = [:], _ overrides: DaemonConfiguration.Overrides = .init()
    ) async throws -> DaemonConfiguration {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
        try yaml.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            return try await DaemonConfiguration.load(
                file: file.path, environment: environment, overrides: overrides)
        } catch let error as ConfigurationError {
            throw ConfigurationError(
                error.problems.map { $0.replacingOccurrences(of: file.path, with: "beacond.yaml") })
        }
    }

    private let good = """
        sources: [sim, h4:tcp:localhost:7402]
        content:
          base_url: http://localhost/site
        directories:
          state: /tmp/state
        ranging:
          path_loss_exponent: 2.5
        """

    @Test("is read from its file")
    func file() async throws {
        let configuration = try await load(good)
        #expect(configuration.sources.map(\.description) == ["sim", "h4:tcp:localhost:7402"])
        #expect(configuration.content?.baseURL == "http://localhost/site")
        #expect(configuration.content?.directory == "/tmp/state/content")
        #expect(configuration.ranging.settings.pathLossExponent == 2.5)
    }

    @Test("is overridden by the environment, and that by the command line")
    func precedence() async throws {
        let environment = [
            "BEACOND_SOURCES": "hci0,hci1", "BEACOND_CONTENT_BASE_URL": "http://env", "BEACOND_RANGING_NEAR_M": "4",
        ]
        let fromEnvironment = try await load(good, environment)
        #expect(fromEnvironment.sources.map(\.description) == ["hci0", "hci1"])
        #expect(fromEnvironment.content?.baseURL == "http://env")
        #expect(fromEnvironment.ranging.settings.nearDistance == 4)
        var overrides = DaemonConfiguration.Overrides()
        overrides.sources = ["sim"]
        overrides.baseURL = "http://flag"
        let fromFlags = try await load(good, environment, overrides)
        #expect(fromFlags.sources.map(\.description) == ["sim"])
        #expect(fromFlags.content?.baseURL == "http://flag")
    }

    @Test("that is empty has defaults", arguments: ["", "# nothing\n", "content:\n"])
    func empty(_ yaml: String) async throws {
        let configuration = try await load(yaml)
        #expect(configuration.sources.map(\.description) == ["auto"])
        #expect(configuration.content == nil)
        #expect(configuration.stateDirectory == "/var/lib/beacond")
    }

    @Test(
        "that is wrong says where, what, and what is allowed",
        arguments: [
            ("source: [sim]", "beacond.yaml:1:1: 'source' is not known in the configuration: did you mean 'sources'?"),
            ("content:\n  url: x", "beacond.yaml:2:3: 'url' is not known in content: allowed are base_url"),
            ("sources: sim", "beacond.yaml:1:10: sources must be a list"),
            ("ranging:\n  near_m: wide", "beacond.yaml:2:11: ranging.near_m is 'wide': a number"),
            ("ranging:\n  near_m: -1", "a number from 0.01 to 1000 is needed"),
            ("ranging:\n  corrections: 2\nregions:\n  - {name: a}", "beacond.yaml:4:5: uuid is missing"),
            ("content:\n  maximum_images: 2.5", "must be a whole number from 1 to"),
            ("scan:\n  active: maybe", "must be true or false"),
            ("content: 7", "beacond.yaml:1:10: content must be a list of `key: value` lines"),
            ("- a", "the configuration must be a list of `key: value` lines"),
            ("a: [", "beacond.yaml:"),
            ("sources: [sim]\nsources: [hci0]", "beacond.yaml"),
            ("sources: [radio]", "source \"radio\": is not understood"),
            ("content:\n  base_url: ftp://x", "ftp://x"),
            ("ranging:\n  near_m: 0.2", "ranging.near_m must not be less than ranging.immediate_m"),
            ("content:\n  base_url: http://x\n  token_file: /nonexistent", "/nonexistent: cannot be read"),
        ])
    func wrong(_ yaml: String, _ words: String) async {
        let error = await #expect(throws: ConfigurationError.self) { _ = try await load(yaml) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "nothing thrown")")
    }

    @Test("tells all that is wrong at once")
    func all() async {
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await load("a: 1\nb: 2\nranging:\n  near_m: x\n")
        }
        #expect(error?.problems.count == 3)
    }

    @Test("names the variable that is wrong")
    func variable() async {
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await load("", ["BEACOND_RANGING_NEAR_M": "x"])
        }
        #expect(error?.description.hasPrefix("BEACOND_RANGING_NEAR_M is 'x'") == true)
    }

    @Test("that is named must be there")
    func missing() async {
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await DaemonConfiguration.load(file: "/nonexistent.yaml", environment: [:])
        }
        #expect(error?.description == "/nonexistent.yaml: cannot be read: No such file or directory")
    }
}
