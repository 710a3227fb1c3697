/// The first octet of an H4 packet. An open set. Core Specification Vol 4, Part A, 2.
public struct PacketType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var command: Self { Self(rawValue: 0x01) }
    @inlinable public static var aclData: Self { Self(rawValue: 0x02) }
    @inlinable public static var synchronousData: Self { Self(rawValue: 0x03) }
    @inlinable public static var event: Self { Self(rawValue: 0x04) }
    @inlinable public static var isoData: Self { Self(rawValue: 0x05) }
}
