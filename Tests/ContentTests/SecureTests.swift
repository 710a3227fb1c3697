import Beacon
import Content
import Foundation
import SiteFormat
import TestSupport
import Testing

/// Real handshakes with nginx: an authority of one's own, pinned keys, and a tunnel through a proxy.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .enabled(if: Programs.installed("openssl") != nil, "openssl is not installed"), .timeLimit(.minutes(10)))
struct SecureTests {
    /// A site behind TLS, with a certificate for 127.0.0.1 that an authority of its own has signed.
    struct Setup {
        let nginx: Nginx
        let folder: String
        let baseURL: String
        var authority: String { "\(folder)/ca.pem" }

        init() async throws {
            var site = try ContentSite()
            site.pages[.beacon(hall)] = .init(name: "Hall", images: [image(1), image(2, bytes: 200_000)])
            try site.publish()
            folder = try temporaryFolder("tls")
            let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            try await Self.openssl(
                ["req", "-x509", "-subj", "/CN=Test CA", "-days", "2", "-keyout", "\(folder)/ca.key", "-out",
                    "\(folder)/ca.pem"] + key)
            try await Self.openssl(
                ["req", "-x509", "-subj", "/CN=content", "-days", "2", "-CA", "\(folder)/ca.pem", "-CAkey",
                    "\(folder)/ca.key", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
                    "basicConstraints=critical,CA:FALSE", "-keyout", "\(folder)/server.key", "-out",
                    "\(folder)/server.pem"] + key)
            let port = try freePort()
            nginx = try Nginx(
                serving: site.folder,
                directives: """
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(folder)/server.pem;
                    ssl_certificate_key \(folder)/server.key;
                    """)
            baseURL = "https://127.0.0.1:\(port)"
        }

        /// The pin of the server's key, as the documentation says to make it.
        func pin(of certificate: String = "server") async throws -> String {
            let command = "openssl x509 -pubkey -noout -in '\(folder)/\(certificate).pem' | "
                + "openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64"
            let made = try await RunningProgram.run("sh", ["-c", command])
            return try #require(made.lines.first)
        }

        private static func openssl(_ arguments: [String]) async throws {
            let made = try await RunningProgram.run("openssl", arguments)
            try #require(made.status == 0, "\(made.errors)")
        }
    }

    @Test("a certificate of an unknown authority is refused, one of the configured authority is taken")
    func certificateOfUnknown() async throws {
        let setup = try await Setup()
        let stranger = try Bench(setup.baseURL)
        await stranger.sync.want(hall)
        let error = try await stranger.log.failure().error
        #expect(error.code == .connection && stranger.store.content(for: hall) == nil, "\(error)")
        #expect(try setup.nginx.requests().isEmpty)
        await stranger.sync.shutdown()

        let bench = try Bench(setup.baseURL) { $0.authorityFile = setup.authority }
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedAssets == 2)
        await bench.sync.shutdown()
    }

    @Test("a pinned key is enough, and any other key is refused before a request")
    func pinnedKey() async throws {
        let setup = try await Setup()
        let right = try await setup.pin()
        let wrong = try await setup.pin(of: "ca")
        try #require(right != wrong)
        for authority in [nil, setup.authority] {
            let bench = try Bench(setup.baseURL) {
                $0.pinnedKeys = [wrong]
                $0.authorityFile = authority
            }
            await bench.sync.want(hall)
            let error = try await bench.log.failure().error
            #expect(error.code == .connection && bench.store.content(for: hall) == nil, "\(error)")
            await bench.sync.shutdown()
        }
        #expect(try setup.nginx.requests().isEmpty)
        let bench = try Bench(setup.baseURL, token: "secret") { $0.pinnedKeys = [wrong, "sha256/\(right)"] }
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedAssets == 2)
        await bench.sync.shutdown()
    }

    @Test("a tunnel through a proxy, for http and https", arguments: [false, true])
    func tunnelThrough(isSecure: Bool) async throws {
        let setup = try await Setup()
        let proxy = try TunnelProxy()
        let variable = isSecure ? "https_proxy" : "http_proxy"
        let settings = try #require(try ProxySettings(environment: [variable: proxy.baseURL]))
        let bench = try Bench(isSecure ? setup.baseURL : setup.nginx.baseURL, token: "secret") {
            $0.proxy = settings
            $0.authorityFile = setup.authority
        }
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedAssets == 2)
        #expect(!proxy.requests.isEmpty && proxy.requests.allSatisfy { $0.hasPrefix("CONNECT 127.0.0.1:") })
        // The proxy gets its own password, and not the site's token.
        #expect(
            proxy.requests.allSatisfy {
                $0.lowercased().contains("proxy-authorization: basic dXNlcjpzZWNyZXQ=".lowercased())
            })
        #expect(proxy.requests.allSatisfy { !$0.contains("Bearer") })
        #expect(try setup.nginx.requests().allSatisfy { $0.authorization == "Bearer secret" })
        await bench.sync.shutdown()
    }
}
