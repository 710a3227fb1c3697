import Broker
import Settings

extension MQTTSettings {
    /// - Parameter host: as it is in topics.
    func login(host: String) -> BrokerLogin {
        var login = BrokerLogin(
            broker: broker, client: "beacond-\(host)",
            names: .init(
                url: "mqtt.url", client: "mqtt.host", password: "mqtt.password_file", authority: "mqtt.ca_file",
                certificate: "mqtt.certificate_file", key: "mqtt.key_file"))
        login.password = password
        login.authorityFile = authorityFile
        login.certificateFile = certificateFile
        login.keyFile = keyFile
        return login
    }
}
