package import Beacon

/// What senders tell of their batteries in scan responses, for the advertisements that come without it.
package struct ToldBatteries: Sendable {
    /// Senders at most. Addresses change, so with more of them all are forgotten: who is there tells it again.
    package static let most = 1024

    private var levels: [DeviceAddress: UInt8] = [:]

    package init() {}

    package mutating func note(_ level: UInt8, of address: DeviceAddress) {
        if levels.count >= Self.most, levels[address] == nil { levels = [:] }
        levels[address] = level
    }

    /// Percent; nil where the sender has not told.
    package subscript(address: DeviceAddress) -> UInt8? { levels[address] }
}
