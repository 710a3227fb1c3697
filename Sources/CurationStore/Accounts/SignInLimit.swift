import Beacon
package import Curation

/// How often a sign-in may fail: by account, so that nobody's password is guessed, and by address, so that nobody tries
/// one password with every account. A pure value: instants come from outside.
package struct SignInLimit: Sendable {
    private struct Failures {
        var count: Double
        var at: Moment
    }

    private var failures: [String: Failures] = [:]

    /// Failures that are forgotten in a minute.
    package static let forgottenPerMinute = 1.0
    package static let mostOfAccount = 5.0
    package static let mostOfAddress = 20.0
    /// Names and addresses that are remembered.
    private static let mostEntries = 20_000

    package init() {}

    /// Seconds to wait before the next attempt; nil: it may be made now.
    package mutating func wait(account: String, address: String, at now: Moment) -> Int? {
        let waits = [
            wait(Self.key(account: account), Self.mostOfAccount, now),
            wait(Self.key(address: address), Self.mostOfAddress, now),
        ]
        return waits.compactMap { $0 }.max()
    }

    /// Counts an attempt as failed. Called before the password is checked, so that many attempts at once count too.
    package mutating func begin(account: String, address: String, at now: Moment) {
        count(Self.key(account: account), now)
        count(Self.key(address: address), now)
    }

    /// The password was right: forgets the failures of this account, and this attempt of its address.
    package mutating func succeed(account: String, address: String) {
        failures[Self.key(account: account)] = nil
        failures[Self.key(address: address)]?.count -= 1
    }

    private mutating func wait(_ key: String, _ most: Double, _ now: Moment) -> Int? {
        guard var entry = failures[key] else { return nil }
        if entry.at > now {
            // The clock was set back, which must not lock anybody out until it is as late again.
            entry.at = now
            failures[key] = entry
        }
        let excess = Self.left(entry, now) - most + 1
        return excess > 0 ? max(1, Int((excess / Self.forgottenPerMinute * 60).rounded(.up))) : nil
    }

    private mutating func count(_ key: String, _ now: Moment) {
        if failures.count >= Self.mostEntries, failures[key] == nil {
            failures = failures.filter { Self.left($0.value, now) > 0 }
            // So many at once are an attack from many addresses: those of accounts are kept.
            if failures.count >= Self.mostEntries { failures = failures.filter { $0.key.hasPrefix("n") } }
            if failures.count >= Self.mostEntries { failures.removeAll() }
        }
        let before = failures[key].map { Self.left($0, now) } ?? 0
        failures[key] = Failures(count: before + 1, at: now)
    }

    private static func left(_ entry: Failures, _ now: Moment) -> Double {
        max(0, entry.count - max(0, now.time.seconds(since: entry.at.time)) / 60 * forgottenPerMinute)
    }

    private static func key(account: String) -> String { "n" + account.prefix(100).lowercased() }
    private static func key(address: String) -> String { "a" + address.prefix(100) }
}
