import Settings
import Text

/// A mistake in the options that name the broker, and what to write instead.
package struct BrokerOptionMistake: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension BrokerLogin {
    /// Reads the options of a command line.
    ///
    /// - Parameters:
    ///   - hasPassword: a password is added when it is read.
    ///   - names: the names of the options.
    package init(
        url: String, client: String, authorityFile: String?, certificateFile: String?, keyFile: String?,
        hasPassword: Bool, names: SettingNames
    ) throws(BrokerOptionMistake) {
        let broker: BrokerAddress
        do {
            broker = try BrokerAddress(url)
        } catch {
            // The daemon's setting and this option have the same form.
            let text = error.description.replacing("mqtt.password_file", with: names.password)
            throw BrokerOptionMistake(description: "\(names.url): \(text); write it as mqtt://USER@HOST:1883")
        }
        self.init(broker: broker, client: client, names: names)
        guard Topics.level(client) == client else {
            throw BrokerOptionMistake(
                description: "\(names.client) \"\(excerpt(client))\" is no name; write up to 64 letters, digits, - "
                    + "and _")
        }
        guard (certificateFile == nil) == (keyFile == nil) else {
            throw BrokerOptionMistake(
                description: "a certificate and its key belong together: name both \(names.certificate) and "
                    + "\(names.key)")
        }
        for (file, name) in [(authorityFile, names.authority), (certificateFile, names.certificate)]
        where file != nil && !broker.isSecure {
            throw BrokerOptionMistake(description: "\(name) is for TLS, and \(broker) has none; write mqtts://")
        }
        (self.authorityFile, self.certificateFile, self.keyFile) = (authorityFile, certificateFile, keyFile)
        if hasPassword, broker.user == nil {
            throw BrokerOptionMistake(
                description: "\(names.url) names no user for the password; write it as mqtt://USER@HOST")
        }
    }

    /// Checks the first levels of all topics, if an option sets them.
    package static func requirePrefix(_ prefix: String, option: String) throws(BrokerOptionMistake) {
        guard Topics.isPrefix(prefix) else {
            throw BrokerOptionMistake(
                description:
                    "\(option) \"\(excerpt(prefix))\" is no prefix of topics; leave away +, #, $, spaces and / at an "
                    + "end")
        }
    }
}
