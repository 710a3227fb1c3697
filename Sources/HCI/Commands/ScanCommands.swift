import Beacon

/// How a controller scans. Core Specification Vol 4, Part E, 7.8.10 and 7.8.64.
package struct ScanParameters: Hashable, Sendable {
    /// An active scan sends scan requests and receives scan responses; a passive scan only listens.
    package var isActive: Bool
    /// Time from one scan window's start to the next, in units of 0.625 ms.
    package var interval: UInt16
    /// How long the controller listens in each interval, in the same units; at most `interval`.
    package var window: UInt16

    package init(isActive: Bool = false, interval: UInt16 = 0x0060, window: UInt16 = 0x0060) {
        self.isActive = isActive
        self.interval = interval
        self.window = min(window, interval)
    }
}

extension Command {
    /// Own address public, every advertiser accepted. Vol 4, Part E, 7.8.10.
    package static func leSetScanParameters(_ scan: ScanParameters) -> Command {
        var parameters: [UInt8] = [scan.isActive ? 1 : 0]
        parameters.append(littleEndian: scan.interval)
        parameters.append(littleEndian: scan.window)
        parameters += [0x00, 0x00]
        return Command(.leSetScanParameters, parameters)
    }

    /// Always disables duplicate filtering: filters differ from chip to chip and leave too few readings for ranging.
    /// Vol 4, Part E, 7.8.11.
    package static func leSetScanEnable(_ isOn: Bool) -> Command {
        Command(.leSetScanEnable, [isOn ? 1 : 0, 0])
    }

    /// The same parameters on the LE 1M PHY, on which every iBeacon is sent. Vol 4, Part E, 7.8.64.
    package static func leSetExtendedScanParameters(_ scan: ScanParameters) -> Command {
        var parameters: [UInt8] = [0x00, 0x00, 0x01, scan.isActive ? 1 : 0]
        parameters.append(littleEndian: scan.interval)
        parameters.append(littleEndian: scan.window)
        return Command(.leSetExtendedScanParameters, parameters)
    }

    /// Until stopped, without duplicate filtering. Vol 4, Part E, 7.8.65.
    package static func leSetExtendedScanEnable(_ isOn: Bool) -> Command {
        Command(.leSetExtendedScanEnable, [isOn ? 1 : 0, 0, 0, 0, 0, 0])
    }
}
