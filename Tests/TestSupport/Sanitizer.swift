import Foundation

/// The sanitizer with which tests and programs were built. tools/sanitize.
package enum Sanitizer {
    /// "thread" or "address"; nil in an ordinary run.
    package static let name = ProcessInfo.processInfo.environment["TEST_SANITIZER"]

    /// Whether the memory of a program is its own: a sanitizer keeps what is freed, and notes about all of it.
    package static var leavesMemory: Bool { name == nil }

    /// How often something is done that takes `count` times in an ordinary run. Programs with a sanitizer start slowly.
    package static func rounds(_ count: Int) -> Int { name == nil ? count : max(1, count / 5) }

    /// The variables that a program with a sanitizer needs, where they are set.
    package static let variables = ["LD_PRELOAD", "TSAN_OPTIONS", "ASAN_OPTIONS", "SWIFT_BACKTRACE"].filter {
        ProcessInfo.processInfo.environment[$0] != nil
    }
}
