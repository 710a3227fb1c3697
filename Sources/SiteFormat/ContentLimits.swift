/// The most that is taken from a site, in one place: whatever it publishes, memory and disk stay bounded. Sizes that
/// an operator may want to change are settings (`ContentSettings`).
package enum ContentLimits {
    /// Entries of a site list.
    package static let listEntries = 65536
    /// Values, keys and brackets of a site list's entries: twice what the format has.
    package static let listTokens = 2_000_000
    /// The same of what is around them.
    package static let outerTokens = 10_000
    /// The same of a manifest.
    package static let manifestTokens = 131_072
    /// Files that one manifest may name.
    package static let manifestAssets = 4096
    /// Brackets within brackets.
    package static let nesting = 64
    /// The part of the file system that is left free, as a divisor, and the most of it in bytes.
    package static let reservedShare: Int64 = 20
    package static let largestReserve: Int64 = 64 << 20
}
