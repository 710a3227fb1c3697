package import Beacon
package import Bus

/// The advertisement object that this program exports to bluetoothd. Pure: it takes calls and returns answers.
///
/// BlueZ, doc/org.bluez.LEAdvertisement.rst.
package struct LEAdvertisement: Hashable, Sendable {
    /// The object's path on this program's connection.
    package static let path = "/org/beacond/advertisement"

    /// The advertised beacon. A Flags structure cannot be requested, because bluetoothd omits it from broadcasts.
    package var beacon: IBeacon
    /// Milliseconds. It is used only if the controller has extended advertising and bluetoothd its experimental
    /// interfaces enabled. Otherwise the kernel chooses the interval.
    package var interval: UInt32?

    /// - Parameter interval: milliseconds; nil lets the kernel choose.
    package init(_ beacon: IBeacon, interval: UInt32?) {
        self.beacon = beacon
        self.interval = interval
    }

    /// The object's properties.
    package var properties: BusValue {
        // The octets after the company identifier: the iBeacon frame without Flags, AD length, type and company.
        let frame = Array(beacon.advertisingData(flags: nil).dropFirst(4))
        var properties: [String: BusValue] = [
            "Type": .string("broadcast"),
            "ManufacturerData": .dictionary([.uint16(0x004C): .variant(.bytes(frame))], of: "qv"),
        ]
        if let interval {
            properties["MinInterval"] = .uint32(interval)
            properties["MaxInterval"] = .uint32(interval)
        }
        return .properties(properties)
    }

    /// Answers a call to the object. `isReleased` is true if bluetoothd reports that the advertisement is not on the
    /// air any more.
    ///
    /// - Parameter isFromDaemon: whether bluetoothd is the caller. A release by another program is ignored.
    package func answer(_ call: BusMessage, isFromDaemon: Bool) -> (answer: BusMessage, isReleased: Bool) {
        guard call.path == Self.path else {
            return (call.failure(BusError(.unknownObject, "no such object")), false)
        }
        let isOurs = call.body.first?.text == BluezNames.advertisement
        switch call.member {
        case "GetAll": return (call.answer([isOurs ? properties : .properties([:])]), false)
        case "Get":
            guard isOurs, call.body.count == 2, let value = call.body[1].text.flatMap({ properties[$0] }) else {
                return (call.failure(BusError(.unknownProperty, "no such property")), false)
            }
            return (call.answer([.variant(value)]), false)
        case "GetManagedObjects": return (call.answer([.dictionary([:], of: "oa{sa{sv}}")]), false)
        case "Release" where isFromDaemon: return (call.answer(), true)
        case "Release": return (call.failure(BusError(.accessDenied, "only bluetoothd calls this")), false)
        default: return (call.failure(BusError(.unknownMethod, "no such method")), false)
        }
    }
}
