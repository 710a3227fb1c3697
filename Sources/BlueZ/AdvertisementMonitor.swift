package import Bus

/// The objects that this program exports to bluetoothd: an advertisement monitor for iBeacons, and a root that lists
/// it. Pure: it takes calls, and returns answers and events.
///
/// BlueZ, doc/org.bluez.AdvertisementMonitor.rst and doc/org.bluez.AdvertisementMonitorManager.rst.
package enum AdvertisementMonitor {
    /// The registered object: the root, which bluetoothd asks for its objects.
    package static let root = "/org/beacond/monitors"
    /// The monitor itself.
    package static let path = "/org/beacond/monitors/ibeacon"

    /// A call of bluetoothd to the monitor.
    package enum Event: Hashable, Sendable {
        /// The monitor is active from now on.
        case activated
        /// The monitor is not active, or not any more.
        case released
        /// A matching device is being received: the path of its object.
        case found(String)
        /// The device has not been received for a while.
        case lost(String)
    }

    /// The pattern of an iBeacon: the position in the value of the AD structure, the AD type, and the bytes.
    package static let pattern: BusValue = .structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0x00, 0x02, 0x15])])

    /// The properties of the monitor: report every advertisement, at any level.
    package static let properties: BusValue = .properties([
        "Type": .string("or_patterns"),
        "RSSISamplingPeriod": .uint16(0),
        "Patterns": .array([pattern], of: "(yyay)"),
    ])

    /// Answers a call to one of these objects.
    ///
    /// - Parameter isFromDaemon: whether bluetoothd is the caller. A call of another program never returns an event.
    package static func answer(_ call: BusMessage, isFromDaemon: Bool) -> (answer: BusMessage, event: Event?) {
        // A caller may omit the interface. D-Bus Specification, "Message Types, Method call".
        switch (call.path, call.interface ?? interface(of: call.member), call.member) {
        case (root?, BluezNames.objectManager, "GetManagedObjects"):
            let interfaces: BusValue = .dictionary([.string(BluezNames.monitor): properties], of: "sa{sv}")
            return (call.answer([.dictionary([.path(path): interfaces], of: "oa{sa{sv}}")]), nil)
        case (path?, BluezNames.properties, "GetAll"):
            let isOurs = call.body.first?.text == BluezNames.monitor
            return (call.answer([isOurs ? properties : .properties([:])]), nil)
        case (path?, BluezNames.properties, "Get"):
            guard call.body.first?.text == BluezNames.monitor, call.body.count == 2,
                let value = call.body[1].text.flatMap({ properties[$0] })
            else { return (call.failure(BusError(.unknownProperty, "no such property")), nil) }
            return (call.answer([.variant(value)]), nil)
        case (root?, BluezNames.introspectable, "Introspect"), (path?, BluezNames.introspectable, "Introspect"):
            return (call.answer([.string(introspection(of: call.path))]), nil)
        case (path?, BluezNames.monitor, let member?):
            guard isFromDaemon else {
                return (call.failure(BusError(.accessDenied, "only bluetoothd calls this")), nil)
            }
            guard let event = event(member, call.body.first?.text) else { break }
            return (call.answer(), event)
        default:
            break
        }
        let isKnown = call.path == root || call.path == path
        return (
            call.failure(
                isKnown ? BusError(.unknownMethod, "no such method") : BusError(.unknownObject, "no such object")), nil
        )
    }

    private static func event(_ member: String, _ device: String?) -> Event? {
        switch (member, device) {
        case ("Activate", _): .activated
        case ("Release", _): .released
        case ("DeviceFound", let device?): .found(device)
        case ("DeviceLost", let device?): .lost(device)
        default: nil
        }
    }

    private static func interface(of member: String?) -> String {
        switch member {
        case "GetManagedObjects": BluezNames.objectManager
        case "Get", "GetAll": BluezNames.properties
        case "Introspect": BluezNames.introspectable
        default: BluezNames.monitor
        }
    }

    private static func introspection(of path: String?) -> String {
        let head = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

            """
        if path == root {
            return head + """
                <node>
                 <interface name="org.freedesktop.DBus.ObjectManager">
                  <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
                 </interface>
                 <node name="ibeacon"/>
                </node>
                """
        }
        return head + """
            <node>
             <interface name="org.bluez.AdvertisementMonitor1">
              <method name="Activate"/>
              <method name="Release"/>
              <method name="DeviceFound"><arg type="o" direction="in"/></method>
              <method name="DeviceLost"><arg type="o" direction="in"/></method>
              <property name="Type" type="s" access="read"/>
              <property name="RSSISamplingPeriod" type="q" access="read"/>
              <property name="Patterns" type="a(yyay)" access="read"/>
             </interface>
            </node>
            """
    }
}
