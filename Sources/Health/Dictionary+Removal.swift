extension Dictionary {
    /// Removes entries without copying the others. Only if most are removed, the others are copied, so that the memory
    /// of a crowd is given back.
    mutating func removeAll(where isOver: (Key, Value) -> Bool) {
        var over: [Key] = []
        for (key, value) in self where isOver(key, value) { over.append(key) }
        if 2 * over.count > count {
            self = filter { !isOver($0.key, $0.value) }
        } else {
            for key in over { removeValue(forKey: key) }
        }
    }
}
