import Beacon
package import Curation
import Platform

/// Limits failed sign-ins: by account, so that a password cannot be guessed, and by address, so that one password
/// cannot be tried with every account. All addresses of one IPv6 network count as one, because one host can have them
/// all. Where an account has signed in before, its failures count apart: otherwise, whoever knows its name could keep
/// its owner out. A pure value: instants are inputs.
package struct SignInLimit: Sendable {
    private struct Failures {
        var count: Double
        var at: Moment
    }

    private var failures: [String: Failures] = [:]
    /// From which addresses which accounts have signed in since the start, as keys of `failures`.
    private var known: Set<String> = []

    /// The number of failures that are forgotten per minute.
    package static let forgottenPerMinute = 1.0
    package static let mostOfAccount = 5.0
    package static let mostOfAddress = 20.0
    /// The most names and addresses that are remembered.
    private static let mostEntries = 20_000

    package init() {}

    /// Seconds to wait before the next attempt; nil if it may be made now.
    package mutating func wait(account: String, address: String, at now: Moment) -> Int? {
        let waits = [
            wait(key(account: account, address: address), Self.mostOfAccount, now),
            wait(Self.key(address: address), Self.mostOfAddress, now),
        ]
        return waits.compactMap { $0 }.max()
    }

    /// Counts an attempt as failed. It is called before the password is checked, so that parallel attempts count too.
    package mutating func begin(account: String, address: String, at now: Moment) {
        count(key(account: account, address: address), now)
        count(Self.key(address: address), now)
    }

    /// The password was right: forgets the failures of this account, and this attempt from its address. What others
    /// have tried is kept if this address was known.
    package mutating func succeed(account: String, address: String) {
        failures[key(account: account, address: address)] = nil
        if known.count >= Self.mostEntries { known.removeAll() }
        known.insert(Self.knownKey(account, address))
        failures[Self.key(address: address)]?.count -= 1
    }

    private mutating func wait(_ key: String, _ most: Double, _ now: Moment) -> Int? {
        guard var entry = failures[key] else { return nil }
        if entry.at > now {
            // The clock was set back. Without this, nobody could sign in until the old time is reached again.
            entry.at = now
            failures[key] = entry
        }
        let excess = Self.left(entry, now) - most + 1
        return excess > 0 ? max(1, Int((excess / Self.forgottenPerMinute * 60).rounded(.up))) : nil
    }

    private mutating func count(_ key: String, _ now: Moment) {
        if failures.count >= Self.mostEntries, failures[key] == nil {
            failures = failures.filter { Self.left($0.value, now) > 0 }
            // So many entries are an attack from many addresses. The failures of accounts are kept.
            if failures.count >= Self.mostEntries { failures = failures.filter { !$0.key.hasPrefix("a") } }
            if failures.count >= Self.mostEntries { failures.removeAll() }
        }
        let before = failures[key].map { Self.left($0, now) } ?? 0
        failures[key] = Failures(count: before + 1, at: now)
    }

    private static func left(_ entry: Failures, _ now: Moment) -> Double {
        max(0, entry.count - max(0, now.time.seconds(since: entry.at.time)) / 60 * forgottenPerMinute)
    }

    private func key(account: String, address: String) -> String {
        let known = Self.knownKey(account, address)
        return self.known.contains(known) ? known : "n" + AccountName.key(account)
    }

    private static func knownKey(_ account: String, _ address: String) -> String {
        "k\(key(address: address)) \(AccountName.key(account))"
    }

    private static func key(address: String) -> String {
        "a" + (HostNetwork(address)?.text ?? String(address.prefix(100)))
    }
}
