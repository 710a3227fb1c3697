import ArgumentParser
import Beacon
import Console
import Content

/// A beacon as people name it: UUID/MAJOR/MINOR, its name, or `uncategorized` for "no beacon is near".
struct BeaconArgument: ExpressibleByArgument {
    private let text: String

    init?(argument: String) {
        text = argument
    }

    /// The beacon, among those that the store knows.
    func beacon(in access: any ContentAccess) async throws -> BeaconID? {
        if text == "uncategorized" { return nil }
        if let beacon = BeaconID(text) { return beacon }
        let named = try await access.states().filter { $0.name?.lowercased() == text.lowercased() }
        let beacons = named.compactMap(\.scope.beacon)
        guard beacons.count < 2 else {
            throw ProgramExit.usage(
                "\"\(text)\" is the name of \(beacons.count) beacons: "
                    + beacons.map(\.description).joined(separator: ", "))
        }
        guard let beacon = beacons.first else {
            throw ProgramExit.usage(
                "\"\(text)\" is no beacon: write UUID/MAJOR/MINOR, a name that beaconctl content list shows, or "
                    + "uncategorized")
        }
        return beacon
    }
}
