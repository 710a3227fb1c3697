/// Whether there is enough free space on the disk to fetch anything. Pure.
///
/// If nothing more fits, nothing is fetched until there is more space than before: content that cannot be stored would
/// only be fetched again and again. A single content that is too large, while there is space for others, does not block
/// them.
package struct RoomGate: Sendable {
    /// Bytes that must be free before anything is fetched; nil while there is space.
    package private(set) var needed: Int64?

    /// With less space than this, in bytes, nothing more fits.
    package static let smallestRoom: Int64 = 1 << 20
    /// Bytes that must be free in addition before another attempt is worth it.
    package static let step: Int64 = 65536

    package init() {}

    package var isClosed: Bool { needed != nil }

    /// Records that something did not fit.
    ///
    /// - Parameters:
    ///   - free: the free bytes.
    ///   - reserve: the bytes that have to stay free.
    /// - Returns: whether fetching stops now and had not stopped before.
    package mutating func refused(free: Int64, reserve: Int64) -> Bool {
        guard free < reserve + Self.smallestRoom else { return false }
        defer { needed = max(free, reserve) + Self.step }
        return needed == nil
    }

    /// Checks the free bytes again.
    ///
    /// - Returns: whether there is space.
    package mutating func look(free: Int64) -> Bool {
        guard let needed, free < needed else {
            self.needed = nil
            return true
        }
        return false
    }
}
