extension Int64 {
    /// A sum that is limited to the largest number if it would overflow: sizes in manifests come from outside.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
