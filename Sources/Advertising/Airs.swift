package import Listening
import Platform
package import Radio
import RadioEmulation
import Synchronization

/// Transports to controllers. Two `sim` sources of one program are on the same emulated air, so that they hear each
/// other.
package final class Airs: Sendable {
    private let airs = Mutex<[String: EmulatedAir]>([:])

    package init() {}

    /// A way to a controller. Throws `badSource` for what is none, and a scenario's mistakes.
    package func transport(to spec: SourceSpec) throws -> any Transport {
        guard case .emulation(let path) = spec.kind else { return try LiveSource.transport(to: spec) }
        let scenario = try path.map { try Scenario(path: $0) }
        let air = airs.withLock { airs in
            // Without a scenario of the user's own, nothing but the controllers.
            let air = airs[path ?? ""]
                ?? EmulatedAir(
                    scenario: scenario ?? Scenario(propagation: Propagation().withoutNoise), start: WallClock.now)
            airs[path ?? ""] = air
            return air
        }
        return EmulatedTransport(air)
    }
}
