extension Dictionary {
    /// Removes the entry with the lowest instant. The entry of `key`, which was just set, is kept, even if the clock
    /// was set back since the others were set.
    mutating func removeOldest<Instant: Comparable>(besides key: Key, by instant: (Value) -> Instant) {
        let oldest = lazy.filter { $0.key != key }.min { instant($0.value) < instant($1.value) }
        if let oldest { self[oldest.key] = nil }
    }
}
