import BlueZ
import Radio

/// bluetoothd: whether this user may use it, and what it does with the adapter.
enum BluetoothdProbe {
    /// - Parameter isSource: listening needs bluetoothd.
    static func findings(_ adapter: LinuxAdapter, isSource: Bool) async -> [Finding] {
        guard isSource || Processes.first(named: "bluetoothd") != nil else {
            return [Finding("bluetoothd", .ok, "does not run, and is not needed")]
        }
        let states: [BluezAdapter]
        do throws(RadioError) {
            states = try await BluezAdapter.all()
        } catch {
            let finding = Finding("bluetoothd", .failure, error.problem, remedy: error.remedy)
            return [isSource ? finding : finding.lessened]
        }
        guard let state = states.first(where: { $0.index == adapter.index }) else {
            let finding = Finding(
                "bluetoothd", .failure, "answers, and does not know \(adapter.name)",
                remedy: "see: bluetoothctl list, rfkill list; a program that takes the adapter for itself hides it")
            return [isSource ? finding : finding.lessened]
        }
        let monitors = state.offersMonitors ? "with" : "without"
        guard state.isDiscovering, !isSource else {
            return [
                Finding(
                    "bluetoothd", .ok, "answers this user, \(monitors) advertisement monitors; \(adapter.name) is known"
                )
            ]
        }
        return [
            Finding(
                "bluetoothd", .warning,
                "discovers on \(adapter.name) for another program; that scan filters duplicates, and is "
                    + "taken over again and again: some advertisements may be missed",
                remedy: "end it (bluetoothctl scan off), or listen through bluetoothd (--source bluez:\(adapter.name))")
        ]
    }
}
