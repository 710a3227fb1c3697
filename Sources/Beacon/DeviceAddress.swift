/// The 48-bit address of a Bluetooth device, public or random. Core Specification Vol 6, Part B, 1.3.
public struct DeviceAddress: Hashable, Sendable {
    /// The address in the low 48 bits.
    public var value: UInt64

    @inlinable
    public init(_ value: UInt64) {
        self.value = value & 0xFFFF_FFFF_FFFF
    }

    /// Reads six octets, least significant first, as HCI and the link layer send them.
    @inlinable
    public init(littleEndian bytes: RawSpan, at offset: Int) {
        value = UInt64(bytes.littleEndian32(at: offset)) | UInt64(bytes.littleEndian16(at: offset + 4)) << 32
    }

    /// Six octets, least significant first.
    package var littleEndianBytes: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}

extension DeviceAddress: LosslessStringConvertible {
    /// Reads `AA:BB:CC:DD:EE:FF`, most significant octet first, in either case.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        var value: UInt64 = 0
        for part in parts {
            let digits = part.utf8.compactMap(hexDigit)
            guard digits.count == 2, part.utf8.count == 2 else { return nil }
            value = value << 8 | UInt64(digits[0] << 4 | digits[1])
        }
        self.value = value
    }

    /// `aa:bb:cc:dd:ee:ff`, most significant octet first.
    public var description: String {
        let digits = Array("0123456789abcdef")
        return (0..<6).map { index in
            let octet = Int(value >> UInt64(40 - 8 * index) & 0xFF)
            return "\(digits[octet >> 4])\(digits[octet & 15])"
        }.joined(separator: ":")
    }
}

/// Whether a device address is public or random, as advertising reports say. An open set: controllers also
/// report resolved identities (2, 3) and anonymous advertisers (0xFF). Core Specification Vol 4, Part E, 7.7.65.13.
public struct AddressType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var `public`: Self { Self(rawValue: 0) }
    @inlinable public static var random: Self { Self(rawValue: 1) }
    /// The advertiser sends no address.
    @inlinable public static var anonymous: Self { Self(rawValue: 0xFF) }

    /// Identity addresses (2, 3) keep the kind that they resolve to.
    @inlinable
    public var isRandom: Bool { rawValue == 1 || rawValue == 3 || rawValue == 0xFF }
}
