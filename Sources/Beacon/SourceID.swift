/// Which source heard a sighting: the place of its name in the list of all that are listened to (`Receivers`).
public struct SourceID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public var rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inlinable
    public init(integerLiteral value: UInt16) {
        rawValue = value
    }

    /// A place beyond the last ID counts as the last.
    @inlinable
    public init(place: Int) {
        rawValue = UInt16(clamping: place)
    }

    /// The last ID that there is.
    package static let last = SourceID(rawValue: .max)

    /// Where its name is listed.
    @inlinable
    public var place: Int { Int(rawValue) }

    public var description: String { "\(rawValue)" }

    // Written out, so that other targets need no call for what is done for every sighting.

    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue == right.rawValue
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
