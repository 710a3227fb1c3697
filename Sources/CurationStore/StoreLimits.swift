/// What the store takes at most. More is refused with an error of code `limit`.
package struct StoreLimits: Hashable, Sendable {
    /// Bytes of one document's JSON.
    package var documentBytes = 1 << 20
    /// Documents of all kinds, those in the bin included.
    package var documents = 100_000
    package var accounts = 1000
    /// Sessions of one account: the oldest ends when there are more.
    package var sessionsOfAccount = 20
    package var tokens = 1000
    package var links = 1000
    /// Devices that report: more are refused until old ones are forgotten.
    package var devices = 5000
    /// Reports of all devices in a minute.
    package var reportsPerMinute = 20_000
    /// Revisions that are kept whole; of older ones only what is said about them.
    package var revisions = 1000
    /// Days for which changes and the bodies before them are kept.
    package var changeDays = 3650
    /// Days for which deleted documents stay in the bin.
    package var binDays = 90
    /// Days after which a device that no longer reports is forgotten.
    package var deviceDays = 90
    /// Days for which dwell times are kept.
    package var dwellDays = 3650
    /// Seconds without a request after which a session ends.
    package var sessionIdleSeconds = 12.0 * 3600
    /// Seconds after which a session ends in any case.
    package var sessionSeconds = 14.0 * 86_400
    /// Characters of a password.
    package var passwordLength = 10...200

    package init() {}
}
