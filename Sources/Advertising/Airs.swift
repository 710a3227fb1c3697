package import Listening
import Platform
package import Radio
import RadioEmulation
import Synchronization

/// Opens transports to controllers. Two `sim` sources of one program share the same emulated air, so that they can
/// receive each other.
package final class Airs: Sendable {
    private let airs = Mutex<[String: EmulatedAir]>([:])

    package init() {}

    /// A transport to a controller.
    ///
    /// - Throws: `badSource` for a source that is not a controller, and the mistakes of a scenario.
    package func transport(to spec: SourceSpec) throws -> any Transport {
        guard case .emulation(let path) = spec.kind else { return try spec.makeTransport() }
        let scenario = try path.map { try Scenario(path: $0) }
        let air = airs.withLock { airs in
            // Without a scenario file, the air has only the controllers.
            let air = airs[path ?? ""]
                ?? EmulatedAir(
                    scenario: scenario ?? Scenario(propagation: Propagation().withoutNoise), start: WallClock.now)
            airs[path ?? ""] = air
            return air
        }
        return EmulatedTransport(air)
    }
}
