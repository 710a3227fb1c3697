import Foundation
import TestSupport

/// Checks of page_checks.py.
enum Look {
    /// Where screenshots are kept, to be looked at.
    static let pictures = "\(Programs.project)/.tools/test/browser"

    /// For how long a check may look. On a busy machine it takes several times as long as usual.
    static let longest = Duration.seconds(780)

    /// Looks at a page by a check, and returns what it tells.
    ///
    /// - Parameters:
    ///   - daemon: serves the page; its last lines are told where the check fails.
    ///   - change: called with what the check wants changed, before it goes on.
    @discardableResult
    static func through(
        _ check: String, at page: String, daemon: RunningProgram,
        change: (String) async throws -> Void = { _ in }
    ) async throws -> [String: Any] {
        let look = try WebPeers.look(check, at: page, pictures: pictures)
        var heard = 0
        try await waitUntil("\(check) is through", within: longest) {
            // In this order: its last words come before its end.
            let isOver = look.status != nil
            for line in look.lines.dropFirst(heard) {
                heard += 1
                guard let wish = try object(line)["wants"] as? String else { continue }
                try await change(wish)
                try look.write("done")
            }
            return isOver
        }
        let end = try await look.wait()
        guard end.status == 0 else {
            throw RunningProgram.Failure(
                description: "\(end.errors)\nthe daemon:\n\(daemon.errorLines.suffix(20).joined(separator: "\n"))")
        }
        return try end.lines.last.map(object) ?? [:]
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
}
