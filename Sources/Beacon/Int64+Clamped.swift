// Numbers from radio, network and files: a sum of them must not end the program.
extension Int64 {
    /// The sum, at most the greatest number and at least the least.
    @inlinable
    public func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, at most the greatest number and at least the least.
    @inlinable
    public func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .max : .min) : difference
    }
}
