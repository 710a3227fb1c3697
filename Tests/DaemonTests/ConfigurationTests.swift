import Beacon
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

    @Test("has everything about content")
    func content() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = "6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="
        let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\(key)\n-----END PUBLIC KEY-----\n"
        try pem.write(to: folder.appendingPathComponent("key.pem"), atomically: true, encoding: .utf8)
        try "abc.def\n".write(to: folder.appendingPathComponent("content-token"), atomically: true, encoding: .utf8)
        let yaml = """
            content:
              base_url: http://h
              public_keys: ["2026:\(key)", \(folder.path)/key.pem]
              prefetch: off
              sync_interval_s: 60
              quota_bytes: 1000000
              pinned: [636F3F8F-6491-4BEE-95F7-D8CC64A863B5/1/2]
              parallel_transfers: 2
              parallel_manifests: 3
              redirect_hosts: [CDN.example]
              proxy: http://proxy.example:8080
              ca_file: /etc/ssl/ca.pem
              pinned_keys: [\(key)]
            """
        let environment = ["CREDENTIALS_DIRECTORY": folder.path, "no_proxy": "local"]
        let content = try #require(try await load(yaml, environment).content)
        #expect(content.publicKeys.map(\.id) == ["2026", nil])
        #expect(content.prefetch == .off && content.syncInterval == .seconds(60) && content.quotaBytes == 1_000_000)
        #expect(content.pinned.map(\.description) == ["636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/2"])
        #expect(content.parallelTransfers == 2 && content.parallelManifests == 3)
        #expect(content.allowedRedirectHosts == ["cdn.example"] && content.authorityFile == "/etc/ssl/ca.pem")
        #expect(content.proxy?.https?.host == "proxy.example" && content.proxy?.bypass == ["local"])
        #expect(content.pinnedKeys == [key] && content.token == "abc.def")
        let variables = ["BEACOND_CONTENT_QUOTA_BYTES": "0", "BEACOND_CONTENT_PROXY": "none", "http_proxy": "http://p:1"]
        let other = try #require(try await load("content:\n  base_url: http://h", variables).content)
        #expect(other.quotaBytes == nil && other.proxy == nil && other.prefetch == .everything && other.token == nil)
        let usual = try #require(try await load("content:\n  base_url: http://h", ["http_proxy": "http://p:1"]).content)
        #expect(usual.proxy?.http?.port == 1)
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
            ("content:\n  prefetch: all", "must be one of off, likely, everything"),
            ("content:\n  public_keys: [abc]", "content.public_keys: content public key \"abc\": it is no Ed25519"),
            ("content:\n  public_keys: [/nonexistent]", "content.public_keys: /nonexistent: cannot be read"),
            ("content:\n  pinned: [hall]", "content.pinned: \"hall\": it is no beacon; write it like"),
            ("content:\n  proxy: socks5://x", "it is no address of an HTTP proxy"),
            ("content:\n  quota_bytes: 5 GB", "must be a whole number from 0"),
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
