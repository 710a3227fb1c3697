package import Listening
package import Radio

/// The checks of the doctor; tests replace them.
package struct Probes: Sendable {
    /// Examines the kernel and its adapters. Also returns the adapter of the source, if there is one.
    package var kernel: @Sendable (SourceSpec) -> ([Finding], LinuxAdapter?)
    package var rights: @Sendable (SourceSpec) -> [Finding]
    /// Reads the features of the controller.
    package var features: @Sendable (LinuxAdapter) async -> [Finding]
    /// Finds other users of the adapter or its antenna.
    package var neighbours: @Sendable (LinuxAdapter) -> [Finding]
    /// The second argument is true if bluetoothd is the source.
    package var bluetoothd: @Sendable (LinuxAdapter, Bool) async -> [Finding]
    /// Listens for this many seconds.
    package var listening: @Sendable (SourceSpec, Double) async -> [Finding]
    package var clock: @Sendable () -> Finding

    package static let real = Probes(
        kernel: { KernelProbe.examine($0) }, rights: { RightsProbe.findings($0) },
        features: { await FeatureProbe.findings($0) }, neighbours: { NeighbourProbe.findings($0) },
        bluetoothd: { await BluetoothdProbe.findings($0, isSource: $1) },
        listening: { await ListeningProbe(source: $0, seconds: $1).findings() }, clock: { ClockProbe.finding() })

    package init(
        kernel: @escaping @Sendable (SourceSpec) -> ([Finding], LinuxAdapter?),
        rights: @escaping @Sendable (SourceSpec) -> [Finding],
        features: @escaping @Sendable (LinuxAdapter) async -> [Finding],
        neighbours: @escaping @Sendable (LinuxAdapter) -> [Finding],
        bluetoothd: @escaping @Sendable (LinuxAdapter, Bool) async -> [Finding],
        listening: @escaping @Sendable (SourceSpec, Double) async -> [Finding],
        clock: @escaping @Sendable () -> Finding
    ) {
        self.kernel = kernel
        self.rights = rights
        self.features = features
        self.neighbours = neighbours
        self.bluetoothd = bluetoothd
        self.listening = listening
        self.clock = clock
    }
}
