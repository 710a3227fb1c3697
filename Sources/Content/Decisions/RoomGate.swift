/// Whether there is room on the disk to fetch anything. Pure.
///
/// Where nothing more fits, nothing is fetched until there is more room than there was: what cannot be kept would only
/// be fetched again and again. One content that is too large, with room left for others, keeps nobody else waiting.
package struct RoomGate: Sendable {
    /// Bytes that must be free before anything is fetched; nil while there is room.
    package private(set) var needed: Int64?

    /// With less room than this, nothing more fits.
    package static let smallestRoom: Int64 = 1 << 20
    /// So much more must be free than when nothing fitted, before it is worth another try.
    package static let step: Int64 = 65536

    package init() {}

    package var isClosed: Bool { needed != nil }

    /// Something did not fit.
    ///
    /// - Parameters:
    ///   - free: what is free.
    ///   - reserve: what has to stay free.
    /// - Returns: whether nothing is to be fetched from now on, which was not so before.
    package mutating func refused(free: Int64, reserve: Int64) -> Bool {
        guard free < reserve + Self.smallestRoom else { return false }
        defer { needed = max(free, reserve) + Self.step }
        return needed == nil
    }

    /// Somebody has looked at the disk again.
    ///
    /// - Returns: whether there is room.
    package mutating func look(free: Int64) -> Bool {
        guard let needed, free < needed else {
            self.needed = nil
            return true
        }
        return false
    }
}
