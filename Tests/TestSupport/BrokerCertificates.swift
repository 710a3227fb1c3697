import Foundation

/// An authority, and certificates of it for a broker at 127.0.0.1 and for a client, made by openssl.
package struct BrokerCertificates: Sendable {
    package let folder: String

    package init() async throws {
        folder = try temporaryFolder("certificates")
        try await Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=Test authority", "-keyout", "\(folder)/ca.key", "-out", "\(folder)/ca.pem")
        for name in ["server", "client"] {
            try "subjectAltName=IP:127.0.0.1".write(toFile: "\(folder)/names", atomically: true, encoding: .utf8)
            try await Self.openssl(
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)",
                "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).csr")
            try await Self.openssl(
                "x509", "-req", "-in", "\(folder)/\(name).csr", "-CA", "\(folder)/ca.pem", "-CAkey", "\(folder)/ca.key",
                "-CAcreateserial", "-days", "2", "-extfile", "\(folder)/names", "-out", "\(folder)/\(name).pem")
        }
    }

    /// Lines of mosquitto.conf(5): TLS by this certificate; clients need one of the same authority.
    package var brokerOptions: String {
        """
        allow_anonymous true
        cafile \(folder)/ca.pem
        certfile \(folder)/server.pem
        keyfile \(folder)/server.key
        require_certificate true
        """
    }

    /// What mosquitto's clients need to be let in.
    package var clientOptions: [String] {
        ["--cafile", "\(folder)/ca.pem", "--cert", "\(folder)/client.pem", "--key", "\(folder)/client.key"]
    }

    private static func openssl(_ arguments: String...) async throws {
        let run = try await RunningProgram.run("openssl", arguments)
        guard run.status == 0 else { throw RunningProgram.Failure(description: run.errors) }
    }
}
