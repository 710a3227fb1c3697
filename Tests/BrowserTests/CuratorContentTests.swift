import Foundation
import TestSupport
import Testing

/// The pages on which content is made, in a real browser, with the real server behind them.
@Suite(
    "The pages on which content is made", .serialized, .timeLimit(.minutes(15)),
    .enabled(if: WebPeers.browserAbsence == nil, "\(WebPeers.browserAbsence ?? "")"))
struct CuratorContentTests {
    @Test(
        "lead a new user from the printed link to what beacond then has on the disk and shows to visitors",
        .enabled(if: Nginx.program != nil, "nginx is not installed"))
    func content() async throws {
        let visit = try await CuratorVisit()
        defer { visit.cleanUp() }
        try await visit.look("content", of: "content_checks.py")
        let site = try temporaryFolder("published")
        try await visit.publish(into: site)
        // The seventh is the nearest.
        let hall = try await Visit(
            site: site, source: try DemoSite.standing(at: [9, 10, 11, 12, 13, 14, 1.1], named: false))
        defer { hall.cleanUp() }
        _ = try await hall.look("curated")
        let published = assets(below: site)
        #expect(published.count == 5, "\(published)")
        #expect(assets(below: hall.folder) == published)
    }

    /// The names of all files that are named by a hash.
    private func assets(below folder: String) -> Set<String> {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return Set(
            files.map { String($0.split(separator: "/").last ?? "") }
                .filter { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test("refuse what cannot be beside its field, and lose nothing else of the form")
    func refused() async throws {
        try await use("refused")
    }

    @Test("lead Back to the form after it was refused, and show which of several files was refused")
    func back() async throws {
        try await use("back")
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

    @Test("send a form of a dialog once, keep it still meanwhile, and give it back if no answer comes")
    func sending() async throws {
        try await use("sending")
    }

    @Test("bring back what was typed in a dialog and in the page editor after the tab is lost")
    func kept() async throws {
        try await use("kept")
    }

    @Test("put what is typed before the editor of full pages has come into the editor")
    func late() async throws {
        try await use("late")
    }

    @Test("use or refuse each of several files that are brought at once, and say so")
    func dropped() async throws {
        try await use("dropped")
    }

    @Test("make a part of a picture a picture of its own, which is used only if somebody says so")
    func crop() async throws {
        try await use("crop")
    }

    @Test("place beacons on a large plan, which can be enlarged on a phone")
    func plan() async throws {
        try await use("plan")
    }

    @Test("say in the server's words why they do not get what they asked for, and leave nothing behind")
    func answers() async throws {
        try await use("answers")
    }

    @Test("keep a time of the hour that comes twice when clocks are put back")
    func clocks() async throws {
        try await use("clocks")
    }

    @Test("take a picture of a full page as decorative if no text is given for it")
    func pictureAlt() async throws {
        try await use("picture_alt")
    }

    private func use(_ check: String) async throws {
        let visit = try await CuratorVisit()
        defer { visit.cleanUp() }
        try await visit.look(check, of: "content_checks.py")
    }
}
