/// Whether the daemon is on the bus.
package struct BusServiceSettings: Hashable, Sendable {
    /// It was asked for, so what stands in its way is reported. Otherwise it is there where the bus allows it.
    package var isDemanded: Bool

    package init(isDemanded: Bool) {
        self.isDemanded = isDemanded
    }
}
