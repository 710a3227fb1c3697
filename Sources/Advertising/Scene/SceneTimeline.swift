import Beacon
package import Radio

extension SceneBeacon {
    /// What it sends at an instant of the scene; nil while it does not send. Depends only on these parameters.
    ///
    /// - Parameter number: the beacon's number in the scene, from which its random addresses are derived.
    package func broadcast(at instant: Duration, number: Int) -> Broadcast? {
        var isPresent = true
        var content = content
        var power = transmitPower.map(Double.init)
        var addresses = 0
        for change in script where change.time <= instant {
            let elapsed = instant - change.time
            switch change.kind {
            case .presence(let value): isPresent = value
            case .content(let value): content = value
            case .power(let target, let length):
                let start = power ?? Double(Self.assumedPower)
                let share = length > .zero ? min(1, elapsed / length) : 1
                power = start + (Double(target) - start) * share
            case .walkPast(let walk):
                power = (power ?? Double(Self.assumedPower)) - walk.loss(at: min(elapsed, walk.duration))
            case .newAddress: addresses += 1
            }
        }
        guard isPresent else { return nil }
        return Broadcast(
            data: content.data,
            parameters: BeaconSettings.parameters(
                interval: interval, transmitPower: power.map { Int8(max(-127, min(20, $0.rounded()))) }),
            address: deviceAddress(at: instant, number: number, changes: addresses))
    }

    /// dBm: the start of a gradual change if the controller chose the power before.
    static var assumedPower: Int8 { 0 }

    private func deviceAddress(at instant: Duration, number: Int, changes: Int) -> DeviceAddress? {
        switch address {
        case .adapter: nil
        case .fixed(let address): changes == 0 ? address : Self.randomAddress(number, changes, 0)
        case .random(nil): Self.randomAddress(number, changes, 0)
        case .random(let period?): Self.randomAddress(number, changes, Int(instant / max(period, .milliseconds(1))))
        }
    }

    /// A static device address (11 in the upper bits), which is the same in every run. Core Specification Vol 6, Part
    /// B, 1.3.2.1.
    private static func randomAddress(_ number: Int, _ changes: Int, _ epoch: Int) -> DeviceAddress {
        // SplitMix64 over the three numbers, so that neighbouring numbers give different addresses.
        var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        state &+= UInt64(truncatingIfNeeded: changes) &* 0xD1B5_4A32_D192_ED03
        state &+= UInt64(truncatingIfNeeded: epoch) &* 0x8CB9_2BA7_2F3D_8DD7 &+ 1
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        state ^= state >> 31
        return DeviceAddress(state & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000)
    }
}
