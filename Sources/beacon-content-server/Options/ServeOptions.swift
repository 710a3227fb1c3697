import ArgumentParser
import Console
import ContentServer
import Glibc
import Platform
import Publishing
import Settings
import Text

/// How to serve.
struct ServeOptions: ParsableArguments {
    @Option(name: ServerOption.listen.name, help: ServerOption.listen.help)
    var listen: String?
    @Option(name: ServerOption.address.name, help: ServerOption.address.help)
    var address: String?
    @Option(name: ServerOption.host.name, help: ServerOption.host.help)
    var host: [String] = []
    @Option(name: ServerOption.proxy.name, help: ServerOption.proxy.help)
    var proxy: [String] = []
    @Option(name: ServerOption.certificate.name, help: ServerOption.certificate.help)
    var tlsCertificate: String?
    @Option(name: ServerOption.key.name, help: ServerOption.key.help)
    var tlsKey: String?
    @Option(name: ServerOption.readToken.name, help: ServerOption.readToken.help)
    var readTokenFile: String?
    @Option(name: ServerOption.signingKey.name, help: ServerOption.signingKey.help)
    var signingKey: String?
    @Option(name: ServerOption.publishFolder.name, help: ServerOption.publishFolder.help)
    var publishFolder: String?
    @Option(name: ServerOption.vendor.name, help: ServerOption.vendor.help)
    var vendor: String?
    @Option(name: ServerOption.resources.name, help: ServerOption.resources.help)
    var resources: String?
    @Option(name: ServerOption.uploadLimit.name, help: ServerOption.uploadLimit.help)
    var uploadLimit: String?
    @Option(name: ServerOption.connections.name, help: ServerOption.connections.help)
    var maxConnections: String?
    @OptionGroup var broker: BrokerOptions

    /// - Throws: `CommandFailure`.
    func listenAddress() throws -> ListenAddress { try Self.listenAddress(listen) }

    /// - Throws: `CommandFailure`.
    static func listenAddress(_ listen: String?) throws -> ListenAddress {
        do {
            return try ListenAddress(ServerOption.listen.value(listen) ?? "")
        } catch {
            throw CommandFailure.usage(error.description)
        }
    }

    func tls() throws -> TLSMaterial? {
        let certificate = ServerOption.certificate.value(tlsCertificate)
        let key = ServerOption.key.value(tlsKey)
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return try TLSMaterial(certificate: certificate, key: key)
        default: throw CommandFailure.usage("TLS needs both --tls-certificate and --tls-key; name the other one too")
        }
    }

    /// The folder that follows every publication, ready to be written; nil if none is named.
    ///
    /// - Throws: `CommandFailure`: 1 and not 2, because the folder may be on a disk that is mounted later.
    func siteFolder() throws -> SiteFolder? {
        guard let folder = ServerOption.publishFolder.value(publishFolder).map(SiteFolder.init) else { return nil }
        do {
            try folder.prepare()
        } catch {
            throw CommandFailure("--publish-folder: \(error.explanation)")
        }
        return folder
    }

    /// Where people find the pages.
    ///
    /// - Parameter listening: with the port that is really listened on.
    /// - Throws: `CommandFailure`.
    func ownAddress(listening address: ListenAddress, isEncrypted: Bool) throws -> PagesAddress {
        try PagesAddress(
            ServerOption.address.value(self.address) ?? "\(isEncrypted ? "https" : "http")://\(address)")
    }

    func settings(state: String, listening address: ListenAddress, isEncrypted: Bool) throws -> ServerSettings {
        let own = try ownAddress(listening: address, isEncrypted: isEncrypted)
        var settings = ServerSettings(state: state, address: own.link)
        settings.hosts = ServerOption.host.values(host) + [own.host]
        // Nobody could open the pages by such a name.
        for name in settings.hosts {
            guard let problem = HostPort.problem(ofHost: name) else { continue }
            let remedy =
                switch problem {
                case .form: "--host takes the name alone, without https://, port or path"
                case .letters: problem.remedy
                }
            throw CommandFailure.usage("--host: \"\(excerpt(name))\" \(problem.cause); \(remedy)")
        }
        settings.proxies = try ServerOption.proxy.values(proxy).map { text in
            guard let range = AddressRange(text) else {
                throw CommandFailure.usage("--proxy \(text) is no address or network; write it as 10.0.0.0/8")
            }
            return range
        }
        settings.vendor = ServerOption.vendor.value(vendor)
        settings.resources = ServerOption.resources.value(resources)
        settings.readToken = try ServerOption.readToken.value(readTokenFile).map { path in
            try Secrets.firstLine(of: path, for: .contentServer)
        }
        settings.largestUpload = Int64(try ServerOption.uploadLimit.number(uploadLimit, in: 1...1_048_576)) << 20
        return settings
    }
}
