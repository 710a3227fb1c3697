import Foundation
import TestSupport
import Testing

/// The curators' pages in a real browser, with the real server behind them.
@Suite(
    "The curators' pages", .serialized, .timeLimit(.minutes(15)),
    .enabled(if: WebPeers.browserAbsence == nil, "\(WebPeers.browserAbsence ?? "")"))
struct CuratorPagesTests {
    @Test("are free of violations in light and dark, on a desk and on a phone, and ask no other host")
    func looks() async throws {
        try await use("looks")
    }

    @Test("can be used by keyboard alone, with every stop in sight and marked")
    func keyboard() async throws {
        try await use("keyboard")
    }

    @Test("lose nothing that was typed: not to a closed tab, an ended session or another editor")
    func typed() async throws {
        try await use("typed")
    }

    @Test("work without JavaScript")
    func scriptless() async throws {
        try await use("scriptless")
    }

    @Test("list open invitations, and withdraw one so that its link does not work any more")
    func invitations() async throws {
        try await use("invitations")
    }

    @Test("say which of fifty devices lags, and which has fallen silent")
    func crowd() async throws {
        try await use("crowd")
    }

    private func use(_ check: String) async throws {
        let visit = try await CuratorVisit()
        defer { visit.cleanUp() }
        try await visit.look(check)
    }
}
