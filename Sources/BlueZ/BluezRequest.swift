package import Bus

/// A request to the bus or to bluetoothd.
package struct BluezRequest: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Receive the signals that match a rule. D-Bus Specification, "Message Bus Message Routing".
        case watch(String)
        /// All objects of bluetoothd. Starts it if systemd may do so.
        case objects
        case registerMonitor
        case unregisterMonitor
        /// With a level in dBm below which devices are not reported; nil for none.
        case setDiscoveryFilter(level: Int16? = nil)
        case startDiscovery
        case stopDiscovery
        /// Whether the adapter is powered: a harmless question.
        case power
    }

    package var kind: Kind
    /// The run of bluetoothd that this was meant for. Answers of an earlier run are ignored.
    package var generation: Int
    /// The object path of the adapter.
    package var adapterPath: String

    /// The method call.
    package var message: BusMessage {
        switch kind {
        case .watch(let rule):
            .call(BluezNames.bus, BluezNames.busPath, BluezNames.bus, "AddMatch", [.string(rule)])
        case .objects:
            .call(BluezNames.service, "/", BluezNames.objectManager, "GetManagedObjects")
        case .registerMonitor:
            call(BluezNames.monitorManager, "RegisterMonitor", [.path(AdvertisementMonitor.root)])
        case .unregisterMonitor:
            call(BluezNames.monitorManager, "UnregisterMonitor", [.path(AdvertisementMonitor.root)])
        case .setDiscoveryFilter(let level):
            call(BluezNames.adapter, "SetDiscoveryFilter", [Self.filter(level)])
        case .startDiscovery:
            call(BluezNames.adapter, "StartDiscovery")
        case .stopDiscovery:
            call(BluezNames.adapter, "StopDiscovery")
        case .power:
            call(BluezNames.properties, "Get", [.string(BluezNames.adapter), .string("Powered")])
        }
    }

    /// With this filter, every advertisement of a known device is announced, and small changes of level too.
    private static func filter(_ level: Int16?) -> BusValue {
        var filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
        if let level { filter["RSSI"] = .int16(level) }
        return .properties(filter)
    }

    private func call(_ interface: String, _ member: String, _ body: [BusValue] = []) -> BusMessage {
        .call(BluezNames.service, adapterPath, interface, member, body)
    }

    /// The match rules for the signals that are needed: the owner of bluetoothd's name, objects that appear and
    /// disappear, and changes in this adapter and its devices.
    static func rules(adapterPath: String) -> [String] {
        [
            "type='signal',sender='\(BluezNames.bus)',interface='\(BluezNames.bus)',member='NameOwnerChanged',"
                + "arg0='\(BluezNames.service)'",
            "type='signal',sender='\(BluezNames.service)',interface='\(BluezNames.objectManager)'",
            "type='signal',sender='\(BluezNames.service)',interface='\(BluezNames.properties)',"
                + "member='PropertiesChanged',path_namespace='\(adapterPath)',arg0='\(BluezNames.device)'",
            "type='signal',sender='\(BluezNames.service)',interface='\(BluezNames.properties)',"
                + "member='PropertiesChanged',path='\(adapterPath)',arg0='\(BluezNames.adapter)'",
        ]
    }
}
