import ArgumentParser
import Beacon
import Console
import Content
import SiteFormat
import Text

/// A beacon as people write it, or `uncategorized` for the content shown where no beacon is near.
struct BeaconArgument: ExpressibleByArgument {
    private let text: String
    private let query: BeaconQuery

    init?(argument: String) {
        guard let query = BeaconQuery(argument: argument) else { return nil }
        text = argument
        self.query = query
    }

    /// Looks the beacon up in the store. A complete identity need not be there.
    func beacon(in access: any ContentAccess) async throws -> BeaconID? {
        if text == "uncategorized" { return nil }
        if let beacon = BeaconID(text) { return beacon }
        var names: [BeaconID: String] = [:]
        var beacons: [BeaconID] = []
        for state in try await access.states() {
            guard let beacon = state.scope.beacon else { continue }
            beacons.append(beacon)
            names[beacon] = state.name
        }
        guard !beacons.isEmpty else {
            throw CommandFailure(
                "\(printable(text)): the site's list is empty, or was not fetched yet; fetch it: "
                    + "beaconctl content sync")
        }
        return try query.only(among: beacons, names: names, known: "found in the list")
    }
}
