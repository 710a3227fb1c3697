package import Broker
import Settings

/// The broker from which reports are taken.
package struct ReportBroker: Hashable, Sendable {
    package var login: BrokerLogin
    /// The first levels of the topics, as on the devices.
    package var topicPrefix: String

    package init(_ login: BrokerLogin, topicPrefix: String) {
        self.login = login
        self.topicPrefix = topicPrefix
    }
}
