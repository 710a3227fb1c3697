import Beacon
import DaemonSettings
import Content
import Daemon
import Foundation
import Listening
import Platform
import Ranging
import Settings
import SiteFormat
import TestSupport
import Testing

@Suite("The configuration", .timeLimit(.minutes(10)))
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
        try "abc.defgh\n".write(to: folder.appendingPathComponent("content-token"), atomically: true, encoding: .utf8)
        try "-----BEGIN CERTIFICATE-----\n".write(
            to: folder.appendingPathComponent("ca.pem"), atomically: true, encoding: .utf8)
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
              ca_file: \(folder.path)/ca.pem
              pinned_keys: [\(key)]
            """
        let environment = ["CREDENTIALS_DIRECTORY": folder.path, "no_proxy": "local"]
        let content = try #require(try await load(yaml, environment).content)
        #expect(content.publicKeys.map(\.id) == ["2026", nil])
        #expect(content.prefetch == .off && content.syncInterval == .seconds(60) && content.quotaBytes == 1_000_000)
        #expect(content.pinned.map(\.description) == ["636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/2"])
        #expect(content.parallelTransfers == 2 && content.parallelManifests == 3)
        #expect(content.allowedRedirectHosts == ["cdn.example"] && content.authorityFile == "\(folder.path)/ca.pem")
        #expect(content.proxy?.https?.host == "proxy.example" && content.proxy?.bypass == ["local"])
        #expect(content.pinnedKeys == [key] && content.token == "abc.defgh")
        let variables = [
            "BEACOND_CONTENT_QUOTA_BYTES": "0", "BEACOND_CONTENT_PROXY": "none", "http_proxy": "http://p:1",
        ]
        let other = try #require(try await load("content:\n  base_url: http://h", variables).content)
        #expect(other.quotaBytes == nil && other.proxy == nil && other.prefetch == .everything && other.token == nil)
        let usual = try #require(try await load("content:\n  base_url: http://h", ["http_proxy": "http://p:1"]).content)
        #expect(usual.proxy?.http?.port == 1)
    }

    @Test("takes a key from a file in its own folder, with a name before it or without")
    func keyFiles() async throws {
        let folder = try ConfigurationFolder()
        let key = "MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="
        try folder.write("-----BEGIN PUBLIC KEY-----\n\(key)\n-----END PUBLIC KEY-----\n", to: "site.pem")
        let yaml = """
            content:
              base_url: http://h
              public_keys: [site.pem, '2027:site.pem', '2028:\(folder.path)/site.pem']
            """
        let content = try #require(try await folder.load(yaml).content)
        #expect(content.publicKeys.map(\.id) == [nil, "2027", "2028"])
    }

    @Test("takes hosts by names and by addresses")
    func hosts() async throws {
        let hosts = "[cdn.example, CDN-2.example., 192.0.2.7, '2001:db8::7', '[2001:db8::7]', xn--pgbg4dn.example]"
        let configuration = try await load(
            "content:\n  base_url: http://h\n  redirect_hosts: \(hosts)\nhttp:\n  hosts: \(hosts)\n")
        #expect(configuration.content?.allowedRedirectHosts.count == 6)
        #expect(configuration.control.hosts.count == 6)
    }

    @Test("that is empty has defaults", arguments: ["", "# nothing\n", "content:\n"])
    func empty(_ yaml: String) async throws {
        let configuration = try await load(yaml)
        #expect(configuration.sources.map(\.description) == ["auto"])
        #expect(configuration.content == nil)
        #expect(configuration.stateDirectory == "/var/lib/beacond")
    }

    @Test("has the defaults that the services have")
    func defaults() async throws {
        let configuration = try await load("content: {base_url: 'http://h'}\ndirectories: {state: /s}")
        #expect(configuration.content == (try ContentSettings(baseURL: "http://h", directory: "/s/content")))
        #expect(configuration.listening == ListeningOptions())
        #expect(configuration.history == HistorySettings(file: "/s/history.sqlite"))
        #expect(configuration.ranging == RangingConfiguration())
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
            ("content: 7", "beacond.yaml:1:10: content needs `key: value` lines"),
            ("- a", "the configuration needs `key: value` lines"),
            ("a: [", "beacond.yaml:"),
            ("sources: [sim]\nsources: [hci0]", "beacond.yaml"),
            ("sources: [radio]", "beacond.yaml:1:11: sources: source \"radio\": is not understood"),
            ("sources: []", "beacond.yaml:1:10: sources: is empty; name a source, or leave sources out"),
            (
                "sources: [sim, 'file:/nonexistent.csv']",
                "beacond.yaml:1:16: sources: /nonexistent.csv: cannot be read: No such"
            ),
            ("sources: ['file:/tmp']", "beacond.yaml:1:11: sources: /tmp: cannot be read: Is a directory"),
            (
                "sources:\n  - sim:/nonexistent.yaml",
                "beacond.yaml:2:5: sources: /nonexistent.yaml: cannot be read: No such"
            ),
            (
                "content:\n  ca_file: /nonexistent.pem",
                "beacond.yaml:2:12: content.ca_file: /nonexistent.pem: cannot be read"
            ),
            (
                "content:\n  ca_file: /dev/null",
                "beacond.yaml:2:12: content.ca_file: /dev/null holds no certificate in PEM form"
            ),
            (
                "content:\n  pinned_keys: [abc]",
                "beacond.yaml:2:17: content.pinned_keys: \"abc\": it is no SHA-256 hash"
            ),
            (
                "scan:\n  reference_beacons: [x/1]",
                "beacond.yaml:2:23: scan.reference_beacons: \"x/1\": it is no beacon"
            ),
            ("control: {socket: here}", "beacond.yaml:1:19: control.socket: \"here\" is no absolute path"),
            (
                "control: {socket: /\(String(repeating: "x", count: 107))}",
                "beacond.yaml:1:19: control.socket: a socket's path has at most 107 octets, not 108; write a shorter one"
            ),
            (
                "directories: {state: /dev/null}",
                "beacond.yaml:1:22: directories.state: /dev/null is no folder, and none can be made there; name a folder"
            ),
            (
                "directories:\n  cache: /dev/null/cache",
                "beacond.yaml:2:10: directories.cache: /dev/null/cache is no folder"
            ),
            ("http: {listen: '0.0.0.0:80'}", "beacond.yaml:1:16: http.listen: others on the network reach"),
            (
                "hooks:\n  exited: [/nonexistent]",
                "beacond.yaml:2:11: hooks.exited: /nonexistent cannot be run: No such file"
            ),
            ("mqtt:\n  topic_prefix: a/#\n  url: broker", "beacond.yaml:2:17: mqtt.topic_prefix: \"a/#\" is no prefix"),
            ("mqtt:\n  url: broker", "beacond.yaml:2:8: mqtt.url: "),
            (
                "scan: {active: true}\nscan: {active: false}",
                "beacond.yaml:2:1: 'scan' stands here more than once; the first is in line 1"
            ),
            ("content:\n  base_url: ftp://x", "ftp://x"),
            ("ranging:\n  near_m: 0.2", "ranging.near_m must not be less than ranging.immediate_m"),
            ("content:\n  base_url: http://x\n  token_file: /nonexistent", "/nonexistent: cannot be read"),
            ("content:\n  prefetch: all", "must be one of off, likely, everything"),
            ("content:\n  public_keys: [abc]", "content.public_keys: content public key \"abc\": it is no Ed25519"),
            ("content:\n  public_keys: [/nonexistent]", "content.public_keys: /nonexistent: cannot be read"),
            ("content:\n  public_keys: ['2026:/nonexistent.pem']", "content.public_keys: /nonexistent.pem: cannot"),
            ("content:\n  public_keys: [abc]", "or name a file that holds it"),
            ("content:\n  pinned: [hall]", "content.pinned: \"hall\": it is no beacon; write it like"),
            ("content:\n  proxy: socks5://x", "it is no address of an HTTP proxy"),
            ("content:\n  proxy: a b", "content.proxy: \"a b\": it is no address of an HTTP proxy"),
            (
                "content:\n  redirect_hosts: [cdn.example, 'https://cdn.example']",
                "beacond.yaml:2:33: content.redirect_hosts: \"https://cdn.example\" is no name of a host"
            ),
            ("content:\n  redirect_hosts: ['*.example']", "content.redirect_hosts: \"*.example\" is no name"),
            ("http:\n  hosts: ['museum:80']", "beacond.yaml:2:11: http.hosts: \"museum:80\" is no name of a host"),
            (
                "http:\n  hosts: [museum.example, متحف.example]",
                "beacond.yaml:2:27: http.hosts: \"متحف.example\" is a name that browsers and servers send as xn--…; "
                    + "write it so, as in xn--mnchen-3ya.example"
            ),
            (
                "content:\n  redirect_hosts: [münchen.example]",
                "beacond.yaml:2:20: content.redirect_hosts: \"münchen.example\" is a name that browsers and servers"
            ),
            ("http:\n  hosts: [museum.example/]", "write the name alone, without http://, port or path, as in cdn"),
            ("content:\n  quota_bytes: 5 GB", "must be a whole number from 0"),
        ])
    func wrong(_ yaml: String, _ words: String) async {
        let error = await #expect(throws: ConfigurationError.self) { _ = try await load(yaml) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "nothing thrown")")
    }

    @Test(
        "that has a password in an address does not show it",
        arguments: [
            "content:\n  base_url: https://ann:secret@museum.example/site", "content:\n  base_url: ftp://ann:secret@x",
            "content:\n  base_url: https://ann:secret@x/?a", "content:\n  proxy: http://ann:secret@x:1/path",
            "mqtt:\n  url: mqtt://ann:secret@broker", "mqtt:\n  url: http://ann:secret@broker",
        ])
    func passwords(_ yaml: String) async {
        let error = await #expect(throws: ConfigurationError.self) { _ = try await load(yaml) }
        #expect(error?.description.contains("secret") == false, "\(error?.description ?? "nothing thrown")")
    }

    @Test("tells all that is wrong at once")
    func all() async {
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await load("a: 1\nb: 2\nranging:\n  near_m: x\n")
        }
        #expect(error?.problems.count == 3)
    }

    @Test("tells a mistake of every kind at once, each with its line")
    func allKinds() async {
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await load(
                """
                sources: [sim, moon, "file:/nonexistent.csv"]
                scan:
                  profile: loud
                  reference_beacons: [hall]
                content:
                  base_url: ftp://x
                  ca_file: /nonexistent.pem
                  token_file: /nonexistent
                  pinned: [hall]
                  public_keys: [abc]
                  pinned_keys: [abc]
                http:
                  listen: 0.0.0.0:80
                hooks:
                  entered: [notify]
                mqtt:
                  url: broker
                  topic_prefix: a/#
                  key_file: /nonexistent.key
                ranging:
                  near_m: 0.2
                  near_m: 4
                  window_s: wide
                history:
                  interval_s: 0
                url: x
                """, ["BEACOND_RANGING_STALE_S": "-1", "BEACOND_MQTT_QOS": "9"])
        }
        let problems = error?.problems ?? []
        let lines = problems.compactMap { problem in
            problem.hasPrefix("beacond.yaml:") ? Int(problem.split(separator: ":")[1]) : nil
        }
        #expect(lines == lines.sorted())
        #expect(Set(lines) == Set([1, 3, 4] + Array(6...11) + [13, 15, 17, 18, 19, 21, 22, 23, 25, 26]), "\(problems)")
        #expect(lines.count { $0 == 1 } == 2)
        let others = problems.filter { !$0.hasPrefix("beacond.yaml:") }
        #expect(others.count == 2, "\(problems)")
        #expect(others.contains { $0.hasPrefix("BEACOND_RANGING_STALE_S is '-1'") })
        #expect(others.contains { $0.hasPrefix("BEACOND_MQTT_QOS is \"9\"") })
    }

    @Test("tells an option's mistake by the option's name")
    func option() async {
        var overrides = DaemonConfiguration.Overrides()
        overrides.sources = ["file:/nonexistent.csv"]
        let error = await #expect(throws: ConfigurationError.self) { _ = try await load("", [:], overrides) }
        #expect(error?.problems == ["--source: /nonexistent.csv: cannot be read: No such file or directory"])
    }

    @Test("takes two spellings of a folder for one")
    func spellings() async throws {
        for path in ["/srv/beacond", "/srv/beacond/", "/srv/./beacond//.", "//srv//beacond"] {
            let configuration = try await load("sources: [sim]\ndirectories: {state: \(path), cache: \(path)}")
            #expect(configuration.stateDirectory == "/srv/beacond" && configuration.cacheDirectory == "/srv/beacond")
        }
    }

    @Test("means relative paths from its own folder")
    func relative() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "-----BEGIN CERTIFICATE-----".write(
            to: folder.appendingPathComponent("ca.pem"), atomically: true, encoding: .utf8)
        try "x".write(to: folder.appendingPathComponent("walk.csv"), atomically: true, encoding: .utf8)
        let file = folder.appendingPathComponent("beacond.yaml")
        try "sources: ['file:walk.csv']\ncontent: {base_url: 'http://h', ca_file: ca.pem}\n".write(
            to: file, atomically: true, encoding: .utf8)
        let configuration = try await DaemonConfiguration.load(file: file.path, environment: [:])
        #expect(configuration.sources.map(\.kind) == [.file(path: folder.path + "/walk.csv")])
        #expect(configuration.sources.map(\.description) == ["file:walk.csv"])
        #expect(configuration.content?.authorityFile == folder.path + "/ca.pem")
    }

    @Test("means relative paths from its own folder, too, where a name begins with a combining mark")
    func marks() async throws {
        let folder = try TemporaryFolder()
        let text = """
            sources: ['file:\u{301}walk.csv']
            content: {base_url: 'http://h', ca_file: '\u{301}ca.pem'}
            directories: {state: '\(folder)/\u{301}state/'}
            """
        for (name, text) in [
            ("\u{301}walk.csv", "x"), ("\u{301}ca.pem", "-----BEGIN CERTIFICATE-----"), ("\u{301}beacond.yaml", text),
        ] {
            try AtomicFile.replace(folder.path(name), with: text, rights: .permissions(0o600))
        }
        let configuration = try await DaemonConfiguration.load(
            file: folder.path("\u{301}beacond.yaml"), environment: [:])
        #expect(configuration.sources.map(\.kind) == [.file(path: folder.path("\u{301}walk.csv"))])
        #expect(configuration.content?.authorityFile == folder.path("\u{301}ca.pem"))
        #expect(configuration.stateDirectory == folder.path("\u{301}state"))
    }

    @Test("tells variables that are no setting: a slip of the pen is a mistake, others are only told")
    func unknownVariables() async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await load("", ["BEACOND_RANGNG_NEAR_M": "2"])
        }
        #expect(
            error?.problems == ["BEACOND_RANGNG_NEAR_M: there is no such setting; did you mean BEACOND_RANGING_NEAR_M?"]
        )
        let other = try await load("", ["BEACOND_PORT": "tcp://10.0.0.1:80", "PATH": "/bin"])
        #expect(other.warnings == ["BEACOND_PORT: there is no such setting, so it does nothing"])
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
