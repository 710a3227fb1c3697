/// How much of the quota was promised to syncs that are under way. Pure: what is used on the disk is an input.
///
/// What is used, what was promised and what is asked for never exceed the quota together.
package struct QuotaPromises: Sendable {
    private var promised: [JobKey: Int64] = [:]

    package init() {}

    /// Whether so many bytes fit beside what others were promised.
    package func fits(_ bytes: Int64, for key: JobKey, used: Int64, quota: Int64) -> Bool {
        used.addingClamped(promisedToOthers(than: key)).addingClamped(bytes) <= quota
    }

    /// Promises so many bytes instead of what this one was promised before, if they fit.
    package mutating func promise(_ bytes: Int64, to key: JobKey, used: Int64, quota: Int64) -> Bool {
        promised[key] = nil
        guard fits(bytes, for: key, used: used, quota: quota) else { return false }
        promised[key] = bytes
        return true
    }

    package func promisedToOthers(than key: JobKey) -> Int64 {
        promised.reduce(0) { $1.key == key ? $0 : $0.addingClamped($1.value) }
    }

    /// Some of it is there, and counted as used from now on.
    package mutating func arrived(_ bytes: Int64, for keys: [JobKey]) {
        for key in keys {
            if let left = promised[key] { promised[key] = max(left - bytes, 0) }
        }
    }

    /// A sync has ended.
    package mutating func release(_ key: JobKey) {
        promised[key] = nil
    }
}
