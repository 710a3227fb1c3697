/// How much of the time a controller listens. Wi-Fi on the same chip shares the antenna; a scan without pauses leaves
/// Wi-Fi no time.
package enum ScanProfile: String, Hashable, Sendable, CaseIterable {
    /// Always: window = interval = 60 ms.
    case dedicated
    /// Half of the time: 30 ms of every 60 ms.
    case balanced
    /// A tenth of the time: 30 ms of every 300 ms.
    case wifiFriendly = "wifi-friendly"

    /// - Parameter isActive: whether to send scan requests as well.
    package func parameters(isActive: Bool) -> ScanParameters {
        switch self {
        case .dedicated: ScanParameters(isActive: isActive, interval: 0x0060, window: 0x0060)
        case .balanced: ScanParameters(isActive: isActive, interval: 0x0060, window: 0x0030)
        case .wifiFriendly: ScanParameters(isActive: isActive, interval: 0x01E0, window: 0x0030)
        }
    }
}
