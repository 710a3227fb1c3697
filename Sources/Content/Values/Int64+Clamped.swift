extension Int64 {
    /// A sum that stays at the largest number where it would overflow: sizes in manifests are foreign.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
