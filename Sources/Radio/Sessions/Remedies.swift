import HCI

/// What a user can do about a controller's refusal.
enum Remedies {
    static func remedy(for status: ErrorCode, to opcode: OpCode, on host: Host) -> String {
        switch status {
        case .commandDisallowed where host.sharing == .shared:
            disallowed(opcode, adapter: host.name)
        case .commandDisallowed:
            "the controller is busy with something else, or was used with the other family of commands: reset it"
        case .unknownCommand:
            "the controller has no Bluetooth Low Energy, or not this part of it: use another adapter"
        case .invalidParameters where opcode == .leSetAdvertisingParameters,
            .unsupportedFeatureOrParameter where opcode == .leSetAdvertisingParameters:
            "controllers before Bluetooth 5.0 take no interval below 100 ms for advertising that is not connectable: "
                + "use an interval of 100 ms or more"
        case .memoryCapacityExceeded, .limitReached:
            "the controller has no room for another advertising set: end another advertisement, or use another adapter"
        default:
            ""
        }
    }

    /// Core Specification Vol 4, Part E, 3.1.1: between two resets, a controller accepts only one family.
    private static func disallowed(_ opcode: OpCode, adapter: String) -> String {
        let family = OpCode.legacyLE.contains(opcode) ? "extended" : "legacy"
        let users = BluetoothUsers.running()
        let who = users.isEmpty ? "another program" : users.map(\.description).joined(separator: " and ")
        let way =
            users.contains { $0.name == "bluetoothd" }
            ? "stop it (sudo systemctl stop bluetooth), then reset the adapter (sudo hciconfig \(adapter) reset); or "
                + "go through it (bluez:\(adapter), beacon-advertise --mode bluez)"
            : "stop it, then reset the adapter (sudo hciconfig \(adapter) reset)"
        return "\(who) may have used the adapter with the \(family) commands, which shut the other family out until a "
            + "reset, or is in the middle of the same: \(way)"
    }
}

extension OpCode {
    /// The advertising and scanning commands that Bluetooth 5.0 has replaced.
    static let legacyLE: Set<OpCode> = [
        .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable,
        .leSetScanParameters, .leSetScanEnable,
    ]
}
