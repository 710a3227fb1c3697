/// The order of ranks: beacons that are received come first, then those that have gone quiet, then those without a
/// level. Within a group the loss decides.
package struct Remoteness: Comparable, Sendable {
    package enum Group: UInt8, Sendable {
        case heard
        case quiet
        case withoutLevel
    }

    package var group: Group
    /// The loss from 1 m to the receiver, in dB; 0 without a level.
    package var loss: Double

    package init(_ group: Group, loss: Double = 0) {
        self.group = group
        self.loss = loss
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.group == right.group ? left.loss < right.loss : left.group.rawValue < right.group.rawValue
    }
}
