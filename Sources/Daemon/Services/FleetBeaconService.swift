import Advertising
import Beacon
import Listening
import Logging
import Platform
import ServiceLifecycle

/// Makes this scanner a beacon of its fleet: it sends while it listens. If another program changes the advertisement,
/// it is set again. If the adapter is lost, this fails and the daemon starts it again.
struct FleetBeaconService: Service {
    private let beacon: BeaconID
    private let source: SourceSpec
    private let logger: Logger

    /// The level of a usual adapter at 1 m, in dBm. Rooms do not need the true one: the level of each beacon is
    /// learned.
    private static let measuredPower: Int8 = -59
    /// Milliseconds. Levels are collected per second, so two readings are enough.
    private static let interval = 500.0

    init(_ beacon: BeaconID, source: SourceSpec, logger: Logger) {
        self.beacon = beacon
        self.source = source
        self.logger = logger
    }

    func run() async throws {
        // On a thread of its own: the kernel may load Bluetooth only now.
        let found = try await OwnThread.run { [source] in try source.found() }
        var mode = BeaconSettings.Mode.hci
        if case .bluetoothd = found.kind { mode = .bluez }
        let settings = BeaconSettings(
            IBeacon(id: beacon, measuredPower: Self.measuredPower), interval: Self.interval, source: found, mode: mode)
        let advertising = try BeaconRun(settings, verifyWith: nil, recorder: nil)
        let (beacon, logger) = (beacon, logger)
        do {
            try await cancelWhenGracefulShutdown {
                try await advertising.run { event in
                    guard case .started(let how, _) = event else { return }
                    logger.info("fleet beacon \(beacon) is sent by \(found), \(how)")
                }
            }
        } catch is CancellationError {
            // The service was asked to end.
        }
    }
}
