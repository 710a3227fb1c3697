/// The readings of a window of time, in order of strength.
struct ReadingWindow {
    private var sorted = InlineArray<24, Int8>(repeating: 0)
    private(set) var count = 0

    mutating func insert(_ rssi: Int8) {
        guard count < ReadingRing.capacity else { return }
        var position = count
        while position > 0, sorted[position &- 1] > rssi {
            sorted[position] = sorted[position &- 1]
            position &-= 1
        }
        sorted[position] = rssi
        count &+= 1
    }

    /// The mean between the dB and the power domain.
    func biasedLevel(settings: RangingSettings) -> Level {
        let median = Double(sorted[(count &- 1) / 2])
        // Two readings have no majority, so the stronger one counts only up to the limit above the weaker.
        let ceiling = median + outlierLimit(settings)
        let bias = settings.strengthBias * naturalLogarithmOfTen / 10
        let isBiased = bias > 1e-6
        var sum = 0.0
        var squares = 0.0
        var weighted = 0.0
        for index in 0..<count {
            let above = min(Double(sorted[index]), ceiling) - median
            sum += above
            squares += above * above
            weighted += isBiased ? exponential(bias * above) : above
        }
        let number = Double(count)
        let mean = weighted / number
        let value = median + (isBiased ? logarithm(mean) / bias : mean)
        return Level(
            value: value, variance: variance(squares: max(0, squares - sum * sum / number), number, settings))
    }

    /// dB above the median at which a reading is cut. The median of a few readings is itself uncertain, so their limit
    /// is higher: by a quarter for up to eight readings, down to the configured limit from sixteen on.
    private func outlierLimit(_ settings: RangingSettings) -> Double {
        let few = (Double(16 - count) / 8).clamped(to: 0...1)
        return settings.outlierLimit * (1 + 0.25 * few)
    }

    /// The mean without the lowest and the highest tenth, and one more reading at each end.
    func trimmedLevel(settings: RangingSettings) -> Level {
        let cut = count > 2 ? min(count / 10 + 1, (count - 1) / 2) : 0
        var sum = 0.0
        var squares = 0.0
        for index in cut..<count - cut {
            let value = Double(sorted[index])
            sum += value
            squares += value * value
        }
        let number = Double(count - 2 * cut)
        return Level(
            value: sum / number,
            variance: variance(squares: max(0, squares - sum * sum / number), number, settings))
    }

    /// The variance of a mean. The scatter of a few readings says little, so the expected scatter counts like four
    /// further readings.
    private func variance(squares: Double, _ number: Double, _ settings: RangingSettings) -> Double {
        let prior = settings.readingDeviation * settings.readingDeviation
        return (squares + 4 * prior) / (number - 1 + 4) / number
    }
}
