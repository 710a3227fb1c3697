public import HCI

extension ControllerProcedure {
    /// Starts advertising, in the order in which nothing stale is ever on the air: page and inquiry scan off (dual-mode
    /// controllers only), advertising off, parameters, data, enable.
    public static func advertising(
        _ data: [UInt8], _ parameters: AdvertisingParameters, sharing: ControllerSharing
    ) -> ControllerProcedure {
        ControllerProcedure(sharing: sharing) { family in
            // What is asked first can be put back at the end. A controller of one's own was just reset.
            (sharing == .shared ? [Step(.readScanEnable, isRequired: false)] : [])
                + advertisingSteps(data, parameters, family)
        }
    }

    /// The commands of `advertising` for one family, as `--dry-run` shows them.
    public static func advertisingSteps(
        _ data: [UInt8], _ parameters: AdvertisingParameters, _ family: CommandFamily
    ) -> [Step] {
        let off = [Step(.writeScanEnable(0), isRequired: false), Step(stopAdvertising(family), isRequired: false)]
        switch family {
        case .legacy:
            return off + [
                Step(.leSetAdvertisingParameters(parameters)), Step(.leSetAdvertisingData(data)),
                Step(.leSetAdvertisingEnable(true)),
            ]
        case .extended:
            return off + [
                Step(.leSetExtendedAdvertisingParameters(.first, parameters)),
                Step(.leSetExtendedAdvertisingData(.first, data)),
                Step(.leSetExtendedAdvertisingEnable(true, .first)),
            ]
        }
    }

    public static func stopAdvertising(_ family: CommandFamily) -> Command {
        switch family {
        case .legacy: .leSetAdvertisingEnable(false)
        case .extended: .leSetExtendedAdvertisingEnable(false, .first)
        }
    }
}
