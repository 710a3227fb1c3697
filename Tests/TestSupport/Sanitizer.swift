import Foundation

/// The sanitizer with which tests and programs were built. tools/sanitize.
package enum Sanitizer {
    /// "thread" or "address"; nil in an ordinary run.
    package static let name = ProcessInfo.processInfo.environment["BEACOND_SANITIZER"]

    /// The variables that a program with a sanitizer needs, where they are set.
    package static let variables = ["LD_PRELOAD", "TSAN_OPTIONS", "ASAN_OPTIONS", "SWIFT_BACKTRACE"].filter {
        ProcessInfo.processInfo.environment[$0] != nil
    }
}
