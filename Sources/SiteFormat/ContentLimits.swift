/// The limits for what is accepted from a site, in one place. They bound memory and disk whatever a site publishes.
/// Limits that an operator may want to change are settings (`ContentSettings`).
package enum ContentLimits {
    /// The most entries of a site list.
    package static let listEntries = 65536
    /// The most values, keys and brackets in a site list's entries: twice what the format needs.
    package static let listTokens = 2_000_000
    /// The most values, keys and brackets outside of the entries.
    package static let outerTokens = 10_000
    /// The most values, keys and brackets of a manifest.
    package static let manifestTokens = 131_072
    /// The most files that one manifest may name.
    package static let manifestAssets = 4096
    /// The most levels of brackets within brackets.
    package static let nesting = 64
    /// The share of the file system that is left free, as a divisor, and the most bytes that are left free.
    package static let reservedShare: Int64 = 20
    package static let largestReserve: Int64 = 64 << 20
}
