/// The code of an event. An open set. Core Specification Vol 4, Part E, 7.7.
public struct EventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var commandComplete: Self { Self(rawValue: 0x0E) }
    @inlinable public static var commandStatus: Self { Self(rawValue: 0x0F) }
    @inlinable public static var leMeta: Self { Self(rawValue: 0x3E) }
}

/// The code of an event within LE Meta. An open set. Core Specification Vol 4, Part E, 7.7.65.
public struct LESubevent: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var advertisingReport: Self { Self(rawValue: 0x02) }
    @inlinable public static var extendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
}
