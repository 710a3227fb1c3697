import Foundation
import TestSupport
import Testing

/// The pages on which content is made, in a real browser, with the real server behind them.
@Suite(
    "The pages on which content is made", .serialized, .timeLimit(.minutes(8)),
    .enabled(if: WebPeers.browserAbsence == nil, "\(WebPeers.browserAbsence ?? "")"))
struct CuratorContentTests {
    @Test("lead a new user from the printed link to a published image with contents on all four sides")
    func content() async throws {
        try await use("content")
    }

    @Test("refuse what cannot be beside its field, and lose nothing else of the form")
    func refused() async throws {
        try await use("refused")
    }

    @Test("are free of violations in light and dark, on a desk and on a phone, with names in any script")
    func looks() async throws {
        try await use("looks")
    }

    @Test("can be used by keyboard alone")
    func keyboard() async throws {
        try await use("keyboard")
    }

    @Test("work without JavaScript")
    func scriptless() async throws {
        try await use("scriptless")
    }

    private func use(_ check: String) async throws {
        let visit = try await CuratorVisit()
        defer { visit.cleanUp() }
        try await visit.look(check, of: "content_checks.py", within: .seconds(420))
    }
}
