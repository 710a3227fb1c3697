internal import Beacon

/// How much of the quota is promised to running syncs. Pure: the bytes used on the disk are an input.
///
/// The bytes used, the bytes promised and the bytes requested together never exceed the quota.
package struct QuotaPromises: Sendable {
    private var promised: [JobKey: Int64] = [:]

    package init() {}

    /// Whether this many bytes fit beside what is promised to others.
    package func fits(_ bytes: Int64, for key: JobKey, used: Int64, quota: Int64) -> Bool {
        used.addingClamped(promisedToOthers(than: key)).addingClamped(bytes) <= quota
    }

    /// Promises this many bytes to a sync, if they fit. They replace an earlier promise to it.
    package mutating func promise(_ bytes: Int64, to key: JobKey, used: Int64, quota: Int64) -> Bool {
        promised[key] = nil
        guard fits(bytes, for: key, used: used, quota: quota) else { return false }
        promised[key] = bytes
        return true
    }

    package func promisedToOthers(than key: JobKey) -> Int64 {
        promised.reduce(0) { $1.key == key ? $0 : $0.addingClamped($1.value) }
    }

    /// Part of what was promised is stored now, and counts as used from now on.
    package mutating func arrived(_ bytes: Int64, for keys: [JobKey]) {
        for key in keys {
            if let left = promised[key] { promised[key] = max(left - bytes, 0) }
        }
    }

    /// Ends the promise to a sync that has ended.
    package mutating func release(_ key: JobKey) {
        promised[key] = nil
    }
}
