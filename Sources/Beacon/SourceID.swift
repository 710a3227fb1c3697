/// Which source heard a sighting: the place of its name in the list of all that are listened to (`Receivers`).
package struct SourceID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    package var rawValue: UInt16

    @inlinable
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inlinable
    package init(integerLiteral value: UInt16) {
        rawValue = value
    }

    /// A place beyond the last ID counts as the last.
    @inlinable
    package init(place: Int) {
        rawValue = UInt16(clamping: place)
    }

    /// The last ID that there is.
    package static let last = SourceID(rawValue: .max)

    /// Where its name is listed.
    @inlinable
    package var place: Int { Int(rawValue) }

    package var description: String { "\(rawValue)" }

    // Written out, so that other targets need no call for what is done for every sighting.

    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        left.rawValue == right.rawValue
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
