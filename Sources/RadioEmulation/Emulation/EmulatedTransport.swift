package import Beacon
package import Radio
import Synchronization

/// A virtual controller on an emulated air as a host's transport, in place of a socket or serial line.
package final class EmulatedTransport: Transport {
    private enum State {
        case new
        case opening
        case open(Emulation.ControllerID)
        case closed
    }

    private let air: EmulatedAir
    private let profile: ControllerProfile
    private let motion: Motion?
    private let address: DeviceAddress?
    private let state = Mutex<State>(.new)

    /// - Parameters:
    ///   - air: several transports may share one.
    ///   - profile: the controller's abilities.
    ///   - motion: its position; nil for the scenario's visitor.
    ///   - address: its public address; nil for one that no other controller has.
    package init(
        _ air: EmulatedAir, profile: ControllerProfile = .bluetooth5, motion: Motion? = nil,
        address: DeviceAddress? = nil
    ) {
        self.air = air
        self.profile = profile
        self.motion = motion
        self.address = address
    }

    /// No other host has this controller.
    package var sharing: ControllerSharing { .exclusive }

    /// Adds the controller to the air, in its state after power-on.
    ///
    /// - Throws: `cannotOpen` if it was opened before or the last walk has ended.
    package func open(delivering receiver: any PacketReceiver) async throws(RadioError) {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .opening
            return true
        }
        guard isNew else {
            throw RadioError(.cannotOpen, at: Self.place, "this transport was opened before", remedy: "make a new one")
        }
        let id = try await air.attach(receiver, profile, motion: motion, address: address)
        let isWanted = state.withLock { state in
            guard case .opening = state else { return false }
            state = .open(id)
            return true
        }
        guard isWanted else {  // closed meanwhile
            await air.detach(id)
            throw Self.closed
        }
    }

    /// Sends a packet to the controller. The controller has answered when this returns.
    ///
    /// - Throws: `closed` if it is not open or the last walk has ended.
    package func send(_ packet: [UInt8]) async throws(RadioError) {
        guard let id = state.withLock({ if case .open(let id) = $0 { id } else { nil } }) else { throw Self.closed }
        try await air.send(packet, from: id)
    }

    /// Removes the controller and all its advertisements from the air.
    package func close() async {
        let id = state.withLock { state -> Emulation.ControllerID? in
            defer { state = .closed }
            return if case .open(let id) = state { id } else { nil }
        }
        if let id {
            await air.detach(id)
        }
    }

    static let place = "sim"
    static var closed: RadioError { RadioError(.closed, at: place, "the emulated controller is gone") }
}
