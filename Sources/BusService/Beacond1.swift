/// The daemon's interface on the bus: its names and its introspection data.
package enum Beacond1 {
    package static let name = "org.beacond.Beacond1"
    package static let path = "/org/beacond/Beacond1"
    package static let interface = "org.beacond.Beacond1"

    /// The introspection data of an object path; nil if there is no object. D-Bus Specification, "Introspection Data
    /// Format".
    package static func introspection(of path: String) -> String? {
        if path == Self.path { return doctype + description }
        // The levels above it, so that a tool can find the object from the root.
        let above = path == "/" ? "/" : path + "/"
        guard Self.path.hasPrefix(above) else { return nil }
        let child = Self.path.dropFirst(above.count).prefix { $0 != "/" }
        return doctype + "<node>\n  <node name=\"\(child)\"/>\n</node>\n"
    }

    private static let doctype = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// A beacon is a{sv}: uuid s, major q, minor q, and name s if it has one; empty for none.
    private static let description = """
        <node>
          <interface name="org.freedesktop.DBus.Introspectable">
            <method name="Introspect"><arg name="xml_data" type="s" direction="out"/></method>
          </interface>
          <interface name="org.freedesktop.DBus.Peer">
            <method name="Ping"/>
          </interface>
          <interface name="org.freedesktop.DBus.Properties">
            <method name="Get">
              <arg name="interface_name" type="s" direction="in"/>
              <arg name="property_name" type="s" direction="in"/>
              <arg name="value" type="v" direction="out"/>
            </method>
            <method name="GetAll">
              <arg name="interface_name" type="s" direction="in"/>
              <arg name="properties" type="a{sv}" direction="out"/>
            </method>
            <method name="Set">
              <arg name="interface_name" type="s" direction="in"/>
              <arg name="property_name" type="s" direction="in"/>
              <arg name="value" type="v" direction="in"/>
            </method>
            <signal name="PropertiesChanged">
              <arg name="interface_name" type="s"/>
              <arg name="changed_properties" type="a{sv}"/>
              <arg name="invalidated_properties" type="as"/>
            </signal>
          </interface>
          <interface name="org.beacond.Beacond1">
            <property name="Version" type="s" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>
            <property name="Scanner" type="s" access="read"/>
            <property name="Sources" type="a(sss)" access="read"/>
            <property name="Nearest" type="a{sv}" access="read"/>
            <property name="Beacons" type="aa{sv}" access="read"/>
            <property name="ContentState" type="s" access="read"/>
            <property name="Unhealthy" type="aa{sv}" access="read"/>
            <method name="GetRanging">
              <arg name="time" type="x" direction="out"/>
              <arg name="scanner" type="s" direction="out"/>
              <arg name="nearest" type="a{sv}" direction="out"/>
              <arg name="beacons" type="aa{sv}" direction="out"/>
            </method>
            <method name="Sync"/>
            <signal name="NearestChanged">
              <arg name="beacon" type="a{sv}"/>
              <arg name="previous" type="a{sv}"/>
            </signal>
            <signal name="Entered"><arg name="beacon" type="a{sv}"/></signal>
            <signal name="Exited"><arg name="beacon" type="a{sv}"/></signal>
            <signal name="HealthChanged">
              <arg name="beacon" type="a{sv}"/>
              <arg name="problem" type="s"/>
              <arg name="is_over" type="b"/>
              <arg name="since" type="x"/>
              <arg name="evidence" type="s"/>
            </signal>
            <signal name="ContentReady"><arg name="beacon" type="a{sv}"/></signal>
          </interface>
        </node>

        """
}
