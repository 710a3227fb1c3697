package import Beacon

/// Where this scanner stands.
package struct FleetPlace: Hashable, Sendable {
    package var room: String
    /// 0 is the ground floor.
    package var floor: Int
    /// Metres from the corner of the floor's plan; nil where nobody has measured it.
    package var position: [Double]?
    /// What this scanner sends, so that the others hear it; nil where it sends nothing.
    package var beacon: BeaconID?

    package init(room: String, floor: Int = 0, position: [Double]? = nil, beacon: BeaconID? = nil) {
        self.room = room
        self.floor = floor
        self.position = position
        self.beacon = beacon
    }
}
