package import Beacon

/// The battery levels that senders report in scan responses, for their advertisements, which do not have them.
package struct ReportedBatteries: Sendable {
    /// The maximum number of senders. Addresses change, so at the maximum all are forgotten. Senders in range report
    /// again.
    package static let most = 1024

    private var levels: [DeviceAddress: UInt8] = [:]

    package init() {}

    package mutating func note(_ level: UInt8, of address: DeviceAddress) {
        if levels.count >= Self.most, levels[address] == nil { levels = [:] }
        levels[address] = level
    }

    /// Percent; nil if the sender has not reported it.
    package subscript(address: DeviceAddress) -> UInt8? { levels[address] }
}
