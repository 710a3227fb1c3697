/// The first octet of an H4 packet. An open set. Core Specification Vol 4, Part A, 2.
package struct PacketType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable package static var command: Self { Self(rawValue: 0x01) }
    @inlinable package static var aclData: Self { Self(rawValue: 0x02) }
    @inlinable package static var synchronousData: Self { Self(rawValue: 0x03) }
    @inlinable package static var event: Self { Self(rawValue: 0x04) }
    @inlinable package static var isoData: Self { Self(rawValue: 0x05) }
}
