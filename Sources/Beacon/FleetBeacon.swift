/// The beacons that the scanners of a fleet send themselves (`fleet.beacon`). All have this UUID, and no other beacon
/// has it.
///
/// They show how well scanners receive each other. They are in no ranking and in no room.
package enum FleetBeacon {
    package static let uuid = ProximityUUID(0x5F6C_9D1E_0B7A_4E35_9A62_BEAC_0DF1_EE70)

    /// The identity that a scanner sends if the configuration sets none. It depends on the name alone (FNV-1a, folded
    /// to 32 bits: RFC 9923).
    ///
    /// - Parameter host: the scanner's name in topics.
    package static func identity(of host: String) -> BeaconID {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in host.utf8 { hash = (hash ^ UInt64(octet)) &* 0x100_0000_01B3 }
        let folded = UInt32(truncatingIfNeeded: hash ^ hash >> 32)
        return BeaconID(
            uuid: uuid, major: UInt16(truncatingIfNeeded: folded >> 16), minor: UInt16(truncatingIfNeeded: folded))
    }
}
