import HCI

extension ControllerProcedure {
    /// Starts advertising one broadcast, in an order in which no old payload is ever sent: page and inquiry scan off
    /// (dual-mode controllers only), advertising off, parameters, data, enable.
    package static func advertising(
        _ broadcast: Broadcast, on sets: AdvertisingSets = .own(), sharing: ControllerSharing
    ) -> ControllerProcedure {
        ControllerProcedure(sharing: sharing) { family in
            startSteps(sets, family, sharing) + (sets.handles.first.map { putSteps(broadcast, on: $0, family) } ?? [])
        }
    }

    /// The steps before the first broadcast.
    static func startSteps(
        _ sets: AdvertisingSets, _ family: CommandFamily, _ sharing: ControllerSharing
    ) -> [Step] {
        // What is read first can be restored at the end. An exclusive controller has just been reset.
        (sharing == .shared ? [Step(.readScanEnable, isRequired: false)] : [])
            + [Step(.writeScanEnable(0), isRequired: false)]
            + (family == .extended ? sets.leftovers.flatMap { removeSteps($0, family) } : [])
    }

    /// The commands of `advertising` for one family, as `--dry-run` shows them.
    package static func advertisingSteps(_ broadcast: Broadcast, _ family: CommandFamily) -> [Step] {
        [Step(.writeScanEnable(0), isRequired: false)] + putSteps(broadcast, on: .first, family)
    }

    /// Octet by octet what hciconfig and hcitool send in the Raspberry Pi guides (`leadv 3`, `noscan`,
    /// `cmd 0x08 0x0008 …`): 1.28 s, data after enable, and 31 octets although the command has 32.
    package static func guideSteps(_ data: [UInt8]) -> [Step] {
        [
            Step(.leSetAdvertisingParameters(AdvertisingParameters(minimumInterval: 0x0800, maximumInterval: 0x0800))),
            Step(.leSetAdvertisingEnable(true)),
            Step(.writeScanEnable(0), isRequired: false),
            Step(.leSetAdvertisingDataWithoutLastOctet(data)),
        ]
    }

    // MARK: - One set

    /// Brings a set from what it sends (nil: nothing, or not known) to what it should send.
    static func changeSteps(
        from old: Broadcast?, to new: Broadcast?, on handle: AdvertisingHandle, _ family: CommandFamily
    ) -> [Step] {
        guard let new else { return removeSteps(handle, family) }
        guard let old, old.parameters == new.parameters, old.address == new.address else {
            return putSteps(new, on: handle, family)
        }
        return old.data == new.data ? [] : [dataStep(new, on: handle, family)]
    }

    private static func putSteps(
        _ broadcast: Broadcast, on handle: AdvertisingHandle, _ family: CommandFamily
    ) -> [Step] {
        var steps = [Step(enable(false, handle, family), isRequired: false)]
        switch family {
        case .legacy:
            steps.append(Step(.leSetAdvertisingParameters(broadcast.parameters)))
            if let address = broadcast.address { steps.append(Step(.leSetRandomAddress(address))) }
        case .extended:
            steps.append(Step(.leSetExtendedAdvertisingParameters(handle, broadcast.parameters)))
            if let address = broadcast.address {
                steps.append(Step(.leSetAdvertisingSetRandomAddress(handle, address)))
            }
        }
        return steps + [dataStep(broadcast, on: handle, family), Step(enable(true, handle, family))]
    }

    private static func dataStep(
        _ broadcast: Broadcast, on handle: AdvertisingHandle, _ family: CommandFamily
    ) -> Step {
        switch family {
        case .legacy: Step(.leSetAdvertisingData(broadcast.data))
        case .extended: Step(.leSetExtendedAdvertisingData(handle, broadcast.data))
        }
    }

    /// Stops a set, and leaves none of its data in the controller.
    static func removeSteps(_ handle: AdvertisingHandle, _ family: CommandFamily) -> [Step] {
        [Step(enable(false, handle, family), isRequired: false)]
            + (family == .extended ? [Step(.leRemoveAdvertisingSet(handle), isRequired: false)] : [])
    }

    private static func enable(_ isOn: Bool, _ handle: AdvertisingHandle, _ family: CommandFamily) -> Command {
        switch family {
        case .legacy: .leSetAdvertisingEnable(isOn)
        case .extended: .leSetExtendedAdvertisingEnable(isOn, handle)
        }
    }
}
