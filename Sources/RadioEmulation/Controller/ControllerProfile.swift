/// The abilities of a virtual controller: radio, command families and limits.
package struct ControllerProfile: Hashable, Sendable {
    /// A name for messages.
    package var name: String
    /// Whether it also has BR/EDR. It then supports Write Scan Enable and Write LE Host Support.
    package var isDualMode: Bool
    /// Whether it supports the legacy commands for advertising and scanning. If not, it answers them with Unknown HCI
    /// Command.
    package var hasLegacyCommands: Bool
    /// Whether it supports the extended commands, which LE feature bit 12 announces.
    package var hasExtendedCommands: Bool
    /// In Read Local Version Information: 8 is Bluetooth 4.2, 9 is 5.0. Assigned Numbers, section 2.1.
    package var hciVersion: UInt8
    /// The manufacturer's company identifier.
    package var manufacturer: UInt16
    /// The shortest interval of non-connectable advertising, in units of 0.625 ms. Before Bluetooth 5.0 it is 0x00A0
    /// (100 ms).
    package var shortestNonconnectableInterval: UInt16
    /// The greatest number of advertising sets.
    package var advertisingSets: Int
    /// The longest extended advertising data, in octets.
    package var longestAdvertisingData: Int
    /// The greatest transmit power, in dBm.
    package var greatestTransmitPower: Int8
    /// The level in dBm at a receiver 1 m away, at the greatest transmit power.
    package var levelAtOneMetre: Double

    /// The defaults are those of a Bluetooth 5 dual-mode controller.
    package init(
        name: String, isDualMode: Bool = true, hasLegacyCommands: Bool = true, hasExtendedCommands: Bool = true,
        hciVersion: UInt8 = 9, manufacturer: UInt16 = 0x000F, shortestNonconnectableInterval: UInt16 = 0x0020,
        advertisingSets: Int = 8, longestAdvertisingData: Int = 1650, greatestTransmitPower: Int8 = 8,
        levelAtOneMetre: Double = -56
    ) {
        self.name = name
        self.isDualMode = isDualMode
        self.hasLegacyCommands = hasLegacyCommands
        self.hasExtendedCommands = hasExtendedCommands
        self.hciVersion = hciVersion
        self.manufacturer = manufacturer
        self.shortestNonconnectableInterval = shortestNonconnectableInterval
        self.advertisingSets = advertisingSets
        self.longestAdvertisingData = longestAdvertisingData
        self.greatestTransmitPower = greatestTransmitPower
        self.levelAtOneMetre = levelAtOneMetre
    }

    /// Dual mode, Bluetooth 4.2, legacy commands only.
    package static let raspberryPi3 = ControllerProfile(
        name: "Raspberry Pi 3", hasExtendedCommands: false, hciVersion: 8, shortestNonconnectableInterval: 0x00A0)

    /// Dual mode, Bluetooth 5.0, both families of commands. Only one family may be used after a reset.
    package static let bluetooth5 = ControllerProfile(name: "Bluetooth 5")

    /// LE only, Bluetooth 5.0, without the legacy commands.
    package static let extendedOnly = ControllerProfile(
        name: "extended only", isDualMode: false, hasLegacyCommands: false)

    /// LE Read Local Supported Features: encryption (0); with the extended commands also 2M (8) and bit 12.
    var leFeatures: UInt64 {
        hasExtendedCommands ? 1 << 0 | 1 << 8 | 1 << 12 : 1 << 0
    }

    /// Read Local Supported Features: LE (38), and either simultaneous LE and BR/EDR (49) or no BR/EDR (37).
    var features: UInt64 {
        isDualMode ? 1 << 38 | 1 << 49 : 1 << 37 | 1 << 38
    }
}
