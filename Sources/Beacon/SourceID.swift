/// Which source received a sighting: the index of its name in the list of all sources (`Receivers`).
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

    /// An index beyond the last ID counts as the last.
    @inlinable
    public init(place: Int) {
        rawValue = UInt16(clamping: place)
    }

    /// The greatest ID.
    package static let last = SourceID(rawValue: .max)

    /// The index of its name in that list.
    @inlinable
    public var place: Int { Int(rawValue) }

    public var description: String { "\(rawValue)" }

    // Written out, because every sighting passes through them: so other targets can inline them.

    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue == right.rawValue
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
