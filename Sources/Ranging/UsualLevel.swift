/// How strongly a beacon has been heard so far, wherever the receiver was.
///
/// What beacons claim to send is often 8 to 14 dB off, and one that is too strong everywhere looks near everywhere. Its
/// levels of the past tell: with the claim's error and the differences of place both normally distributed, the part
/// of the usual level that is to be put down to the claim is the one variance over the sum of both. Each level counts
/// once, however long the receiver stood there, so a long stay says no more than a short one.
struct UsualLevel {
    /// dB of a step, and loss at the first of them.
    private static let step = 3.0
    private static let first = -16.0
    /// dB from 1 m that a beacon in reach has: about 5 m. What all have in common decides nothing.
    private static let typicalLoss = 15.0
    /// dB that the past can do at most.
    static let limit = 12.0

    /// A bit for each step at which it was heard.
    private var steps: UInt32 = 0
    /// Loss from 1 m in dB: the mean of the steps.
    private var loss: Float = 0

    /// Takes in the loss of a level; true where that is new.
    mutating func note(_ heard: Double) -> Bool {
        let index = ((heard - Self.first) / Self.step).rounded(.down).clamped(to: 0...31)
        let bit = UInt32(1) << UInt32(index)
        guard steps & bit == 0 else { return false }
        steps |= bit
        var sum = 0
        for step in 0..<32 where steps >> UInt32(step) & 1 == 1 {
            sum += step
        }
        let mean = Double(sum) / Double(steps.nonzeroBitCount)
        loss = Float(Self.first + (mean + 0.5) * Self.step)
        return true
    }

    /// dB by which the beacon is to be taken for stronger than its level says.
    ///
    /// - Parameters:
    ///   - powerVariance: dB² of its measured power.
    ///   - placeVariance: dB² by which usual levels differ because of where the receiver went.
    func allowance(powerVariance: Double, placeVariance: Double) -> Double {
        guard steps != 0, powerVariance > 0 else { return 0 }
        let share = powerVariance / (powerVariance + placeVariance)
        return (share * (Double(loss) - Self.typicalLoss)).clamped(to: -Self.limit...Self.limit)
    }
}
