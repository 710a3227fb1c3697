import Beacon
package import Broker
package import ESPHome
import FleetFormat
import Platform
package import Rooms
package import Text

/// Publishes for nodes of other projects until it is cancelled.
package struct BridgeService: Sendable {
    package struct Proxy: Sendable {
        package var address: HostPort
        /// Nil for a connection without encryption.
        package var key: ProxyKey?

        package init(address: HostPort, key: ProxyKey?) {
            self.address = address
            self.key = key
        }
    }

    private let login: BrokerLogin
    private let bridge: FleetBridge
    private let espresense: String?
    private let proxies: [Proxy]
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - espresense: the first levels of ESPresense's topics; nil for no ESPresense.
    ///   - tell: called with each message for people.
    package init(
        _ login: BrokerLogin, prefix: String, places: [ScannerPlace], espresense: String?, proxies: [Proxy],
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.login = login
        self.espresense = espresense
        self.proxies = proxies
        self.tell = tell
        bridge = FleetBridge(prefix: prefix, name: login.client, places: places, espresense: espresense)
    }

    package func run() async throws {
        let inbox = ProxyInbox()
        let connection = BrokerConnection(wake: try WakeDescriptor())
        try connection.start { [login, bridge, espresense, tell] in
            BridgeSession(login, bridge: bridge, espresense: espresense, inbox: inbox, tell: tell)
        }
        await withTaskGroup { group in
            for proxy in proxies {
                let address = proxy.address.description
                let client = ProxyClient(proxy.address, key: proxy.key, client: login.client) { news in
                    inbox.put(.init(address: address, time: WallClock.now, news: news))
                }
                group.addTask { await client.run() }
            }
            group.addTask { await untilCancelled() }
        }
        await connection.close(within: .seconds(5))
    }
}
