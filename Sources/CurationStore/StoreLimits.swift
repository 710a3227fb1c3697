/// The limits of the store. Anything beyond them is refused with an error of code `limit`.
package struct StoreLimits: Hashable, Sendable {
    /// The most bytes of one document's JSON.
    package var documentBytes = 1 << 20
    /// The most documents of all kinds, including those in the bin.
    package var documents = 100_000
    package var accounts = 1000
    /// The most sessions of one account. With more, the oldest one ends.
    package var sessionsOfAccount = 20
    package var tokens = 1000
    package var links = 1000
    /// The most devices that report. New ones are refused until old ones are forgotten.
    package var devices = 5000
    /// The most reports of all devices in a minute.
    package var reportsPerMinute = 20_000
    /// The most reports of one device in a minute, where it is counted. Those of a day, which a device sends at once
    /// after it has reached no server, are far fewer: it joins those that wait.
    package var reportsPerMinuteOfDevice = 600
    /// The most reports of one device that are remembered, so that none is counted twice: more than the 17,280 of two
    /// days. Without this, one device could fill the disk.
    package var reportsOfDevice = 20_000
    /// The number of revisions that are kept completely. Of older ones, only the metadata is kept.
    package var revisions = 1000
    /// Days for which changes, and the bodies before them, are kept.
    package var changeDays = 3650
    /// Days for which deleted documents are kept in the bin.
    package var binDays = 90
    /// Days after which a device that no longer reports is forgotten.
    package var deviceDays = 90
    /// Days for which dwell times are kept.
    package var dwellDays = 3650
    /// Seconds without a request after which a session ends.
    package var sessionIdleSeconds = 12.0 * 3600
    /// Seconds after which a session ends at the latest.
    package var sessionSeconds = 14.0 * 86_400
    /// The range of a password's length in characters.
    package var passwordLength = 10...200

    package init() {}
}
