/// The code of an event. An open set. Core Specification Vol 4, Part E, 7.7.
package struct EventCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable package static var commandComplete: Self { Self(rawValue: 0x0E) }
    @inlinable package static var commandStatus: Self { Self(rawValue: 0x0F) }
    @inlinable package static var leMeta: Self { Self(rawValue: 0x3E) }
}

/// The code of an event within LE Meta. An open set. Core Specification Vol 4, Part E, 7.7.65.
package struct LESubevent: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable package static var advertisingReport: Self { Self(rawValue: 0x02) }
    @inlinable package static var extendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
}
