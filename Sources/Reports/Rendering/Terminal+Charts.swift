import Text

extension Terminal {
    /// A small chart: one character for each value.
    func spark(_ values: [Double], most: Double) -> String {
        let steps = Array(hasBlocks ? " ▁▂▃▄▅▆▇█" : " .:-=+*#@")
        return String(
            values.map { value in
                guard value > 0, most > 0 else { return steps[0] }
                return steps[1 + min(steps.count - 2, Int(value * Double(steps.count - 2) / most))]
            })
    }

    /// A bar of at most 20 columns.
    func bar(_ share: Double) -> String {
        String(repeating: hasBlocks ? "█" : "#", count: max(1, Int((share * 20).rounded())))
    }
}
