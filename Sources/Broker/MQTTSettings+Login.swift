import Platform
package import Settings

extension MQTTSettings {
    /// - Parameter client: the client's name at the broker.
    package func login(client: String) -> BrokerLogin {
        var login = BrokerLogin(
            broker: broker, client: client,
            names: .init(
                url: "mqtt.url", client: "mqtt.host", password: "mqtt.password_file", authority: "mqtt.ca_file",
                certificate: "mqtt.certificate_file", key: "mqtt.key_file", service: .daemon))
        login.password = password
        login.authorityFile = authorityFile
        login.certificateFile = certificateFile
        login.keyFile = keyFile
        return login
    }
}
