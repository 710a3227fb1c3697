package import HCI

extension ControllerProcedure {
    /// Starts scanning: disable, parameters, enable. A killed scanner leaves its scan on, and parameters cannot be set
    /// while it runs (Core Specification Vol 4, Part E, 7.8.10), so it is switched off first.
    package static func scanning(_ parameters: ScanParameters, sharing: ControllerSharing) -> ControllerProcedure {
        ControllerProcedure(sharing: sharing) { family in scanSteps(parameters, family) }
    }

    /// Starts a scan again on a controller that is set up.
    static func scanningAgain(_ parameters: ScanParameters, by family: CommandFamily) -> ControllerProcedure {
        ControllerProcedure(family: family) { family in scanSteps(parameters, family) }
    }

    private static func scanSteps(_ parameters: ScanParameters, _ family: CommandFamily) -> [Step] {
        [Step(stopScanning(family), isRequired: false)] + startScanning(parameters, family).map { Step($0) }
    }

    static func stopScanning(_ family: CommandFamily) -> Command {
        switch family {
        case .legacy: .leSetScanEnable(false)
        case .extended: .leSetExtendedScanEnable(false)
        }
    }

    private static func startScanning(_ parameters: ScanParameters, _ family: CommandFamily) -> [Command] {
        switch family {
        case .legacy: [.leSetScanParameters(parameters), .leSetScanEnable(true)]
        case .extended: [.leSetExtendedScanParameters(parameters), .leSetExtendedScanEnable(true)]
        }
    }
}
