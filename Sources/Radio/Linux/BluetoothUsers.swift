import Glibc

/// Running programs that are known to send commands to Bluetooth adapters.
enum BluetoothUsers {
    struct User: Hashable, CustomStringConvertible {
        var name: String
        var process: Int32

        var description: String { "\(name) (process \(process))" }
    }

    private static let names: Set<String> = [
        "bluetoothd", "btmgmt", "bluetoothctl", "hcitool", "hciconfig", "beacond", "beaconctl", "beacon-advertis",
        "beacon-advertise",
    ]

    /// From /proc/PID/comm, which is cut after 15 characters; without this process.
    static func running() -> [User] {
        KernelFiles.names(in: "/proc").compactMap { entry in
            guard let process = Int32(entry), process != getpid(),
                let name = KernelFiles.lines("/proc/\(entry)/comm").first, names.contains(name)
            else { return nil }
            return User(name: name, process: process)
        }
    }
}
