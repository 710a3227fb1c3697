import Foundation

/// Runs a program whose wall clock is wrong, by tools/lib/clock_shift.c.
package enum ClockShift {
    /// Nil where it was not built.
    package static let library: String? = {
        let environment = ProcessInfo.processInfo.environment["CLOCK_SHIFT"]
        return [environment, Programs.project + "/.tools/clock-shift/clock_shift.so"].compactMap { $0 }
            .first { FileManager.default.isReadableFile(atPath: $0) }
    }()

    package static let missing = "CLOCK_SHIFT names no clock_shift.so (tools/test builds it)"

    /// The program and its arguments, to be run by env(1).
    ///
    /// - Parameter seconds: by which its clock is ahead.
    package static func command(_ program: String, _ arguments: [String], ahead seconds: Int) throws -> (
        String, [String]
    ) {
        guard let library else { throw RunningProgram.Failure(description: missing) }
        // Beside what is preloaded into every program (tools/sanitize).
        let others = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
        return ("env", ["LD_PRELOAD=\(library)\(others)", "CLOCK_AHEAD=\(seconds)", program] + arguments)
    }
}
