package import Bus

/// The objects that this program shows to bluetoothd: an advertisement monitor for iBeacons, below a root that lists
/// it. Pure: calls go in, answers and what they mean come out.
///
/// BlueZ, doc/org.bluez.AdvertisementMonitor.rst and doc/org.bluez.AdvertisementMonitorManager.rst.
package enum AdvertisementMonitor {
    /// What is registered: the root, which bluetoothd asks for its objects.
    package static let root = "/org/beacond/monitors"
    /// The monitor itself.
    package static let path = "/org/beacond/monitors/ibeacon"

    /// What bluetoothd says to a monitor.
    package enum Event: Hashable, Sendable {
        /// From now on it is heard.
        case activated
        /// It is not, or no longer, active.
        case released
        /// A device that fits is heard: its object's path.
        case found(String)
        /// It has not been heard for a while.
        case lost(String)
    }

    /// The pattern of an iBeacon: where in the AD structure's value, which AD type, which bytes.
    package static let pattern: BusValue = .structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0x00, 0x02, 0x15])])

    /// The monitor's properties: every advertisement, at any level.
    package static let properties: BusValue = .properties([
        "Type": .string("or_patterns"),
        "RSSISamplingPeriod": .uint16(0),
        "Patterns": .array([pattern], of: "(yyay)"),
    ])

    /// Answers a call to one of these objects.
    ///
    /// - Parameter isFromDaemon: whether bluetoothd calls; from others nothing is taken as an event.
    package static func answer(_ call: BusMessage, isFromDaemon: Bool) -> (answer: BusMessage, event: Event?) {
        // A caller may leave the interface out. D-Bus Specification, "Message Types, Method call".
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
