package import Beacon

/// The answer to LE Read Local Supported Features. Core Specification Vol 6, Part B, 4.6.
package struct LEFeatures: Hashable, Sendable {
    package var bits: UInt64

    package init(bits: UInt64) {
        self.bits = bits
    }

    /// - Parameter returnParameters: the octets after the status. Returns nil if there are fewer than eight.
    package init?(returnParameters: [UInt8]) {
        guard returnParameters.count >= 8 else { return nil }
        bits = returnParameters.span.bytes.littleEndian64(at: 0)
    }

    /// Bit 12. This bit, and not the HCI version, decides which family of commands to use: a Raspberry Pi 4 has
    /// Bluetooth 5.0 but not this bit.
    package var hasExtendedAdvertising: Bool { bits & 1 << 12 != 0 }
}

extension DeviceAddress {
    /// The answer to Read BD_ADDR (Core Specification Vol 4, Part E, 7.4.6): the octets after the status.
    package init?(returnParameters: [UInt8]) {
        guard returnParameters.count >= 6 else { return nil }
        self.init(littleEndian: returnParameters.span.bytes, at: 0)
    }
}
