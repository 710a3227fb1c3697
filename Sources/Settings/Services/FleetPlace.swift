/// Where this scanner stands.
package struct FleetPlace: Hashable, Sendable {
    package var room: String
    /// 0 is the ground floor.
    package var floor: Int
    /// Metres from the corner of the floor's plan; nil where nobody has measured it.
    package var position: [Double]?

    package init(room: String, floor: Int = 0, position: [Double]? = nil) {
        self.room = room
        self.floor = floor
        self.position = position
    }
}
