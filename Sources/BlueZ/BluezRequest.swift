package import Bus

/// What is asked of the bus and of bluetoothd.
package struct BluezRequest: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// To be sent the signals that fit a rule. D-Bus Specification, "Message Bus Message Routing".
        case watch(String)
        /// All objects that bluetoothd has; starts it where systemd may.
        case objects
        case registerMonitor
        case unregisterMonitor
        /// With a level in dBm below which nothing is told, or none.
        case setDiscoveryFilter(level: Int16? = nil)
        case startDiscovery
        case stopDiscovery
        /// Whether the adapter is powered: a question that costs nothing.
        case power
    }

    package var kind: Kind
    /// Which life of bluetoothd this was meant for; answers of an earlier one count no more.
    package var generation: Int
    /// The adapter's object.
    package var adapterPath: String

    /// The call to make.
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

    /// Every advertisement of a known device is announced as well, and small changes of level.
    private static func filter(_ level: Int16?) -> BusValue {
        var filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
        if let level { filter["RSSI"] = .int16(level) }
        return .properties(filter)
    }

    private func call(_ interface: String, _ member: String, _ body: [BusValue] = []) -> BusMessage {
        .call(BluezNames.service, adapterPath, interface, member, body)
    }

    /// The signals that are needed: who has bluetoothd's name, which objects come and go, and what changes in this
    /// adapter and its devices.
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
