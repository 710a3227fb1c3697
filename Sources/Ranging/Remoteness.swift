/// The order of ranks: what is heard comes before what has gone quiet, and that before what has no level; within a
/// group the loss decides.
package struct Remoteness: Comparable, Sendable {
    package enum Group: UInt8, Sendable {
        case heard
        case quiet
        case withoutLevel
    }

    package var group: Group
    /// dB from 1 m to here; 0 without a level.
    package var loss: Double

    package init(_ group: Group, loss: Double = 0) {
        self.group = group
        self.loss = loss
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.group == right.group ? left.loss < right.loss : left.group.rawValue < right.group.rawValue
    }
}
