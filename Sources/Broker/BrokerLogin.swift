package import Platform
package import Settings

/// The address of a broker, and the client's identity there.
package struct BrokerLogin: Hashable, Sendable {
    package var broker: BrokerAddress
    /// The client's name at the broker. No two clients of a broker may have the same name.
    package var client: String
    /// Nil for none. The user's name is in the address.
    package var password: String?
    /// Certificates to trust instead of the system's, in PEM.
    package var authorityFile: String?
    /// The certificate and key of this client, in PEM; both or neither.
    package var certificateFile: String?
    package var keyFile: String?
    /// The settings or options that messages tell people to change.
    package var names: SettingNames

    package struct SettingNames: Hashable, Sendable {
        package var url: String
        package var client: String
        package var password: String
        package var authority: String
        package var certificate: String
        package var key: String
        /// The service that may have to read these files.
        package var service: InstalledService

        package init(
            url: String, client: String, password: String, authority: String, certificate: String, key: String,
            service: InstalledService
        ) {
            self.url = url
            self.client = client
            self.password = password
            self.authority = authority
            self.certificate = certificate
            self.key = key
            self.service = service
        }
    }

    package init(broker: BrokerAddress, client: String, names: SettingNames) {
        self.broker = broker
        self.client = client
        self.names = names
    }
}
