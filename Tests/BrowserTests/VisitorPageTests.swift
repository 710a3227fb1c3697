import Foundation
import Testing
import TestSupport

/// The page for visitors in a real browser, with a real daemon behind it.
@Suite(
    "The page for visitors", .serialized, .timeLimit(.minutes(6)),
    .enabled(if: WebPeers.browserAbsence == nil, "\(WebPeers.browserAbsence ?? "")"),
    .enabled(if: Nginx.program != nil, "nginx is not installed"))
struct VisitorPageTests {
    @Test("follows the museum walk: names in the daemon's order, each with its pictures, downloads on the way")
    func walk() async throws {
        let visit = try await Visit(site: try await DemoSite.folder.value, source: "sim", limitRate: "250k")
        defer { visit.cleanUp() }
        let found = try await visit.look("walk")
        let seen = try #require(found["seen"] as? [String])
        let nearest = visit.daemon.errorLines.compactMap { line in
            line.range(of: " nearest  ").map { String(line[$0.upperBound...]) }
        }
        // From wherever the page came in; its first words are those of the time before.
        let names = seen.filter { nearest.contains($0) }
        #expect(Set(names).count >= 4, "\(seen)")
        var rest = nearest[...]
        for name in names {
            let index = try #require(rest.firstIndex(of: name), "\(name) out of order: \(names), but \(nearest)")
            rest = rest[(index + 1)...]
        }
    }

    @Test("shows names and content of any kind as text, and runs nothing of them")
    func hostile() async throws {
        let site = try temporaryFolder("hostile-site")
        let made = try await WebPeers.run("hostile_site.py", [site, DemoSite.uuid])
        try #require(made.status == 0, "\(made.errors)")
        let visit = try await Visit(site: site, source: try DemoSite.standing(at: [1.1, 9]))
        defer { visit.cleanUp() }
        let found = try await visit.look("hostile")
        #expect((found["refused"] as? [String])?.isEmpty == false)
    }

    @Test("says when the scanner is blind and when the daemon is away, and comes back by itself")
    func states() async throws {
        let source = try DemoSite.standing(at: [1.1, 6, 12])
        let visit = try await Visit(site: try await DemoSite.folder.value, source: source)
        defer { visit.cleanUp() }
        _ = try await visit.look("states") { wish in
            switch wish {
            // Nobody listens there.
            case "blind": try visit.listen(to: "h4:tcp:127.0.0.1:1")
            case "hears": try visit.listen(to: source)
            case "gone": try await visit.stopDaemon()
            default: try await visit.startDaemon()
            }
        }
    }

    @Test("says when no beacon is near, and shows what there is for that")
    func nowhere() async throws {
        // Far beyond what can be heard.
        let visit = try await Visit(site: try await DemoSite.folder.value, source: try DemoSite.standing(at: [5000]))
        defer { visit.cleanUp() }
        _ = try await visit.look("nowhere")
    }

    @Test("can be used without eyes or a mouse, and fits every screen", arguments: ["accessible", "looks"])
    func standing(check: String) async throws {
        let visit = try await Visit(
            site: try await DemoSite.folder.value, source: try DemoSite.standing(at: [4, 6, 1.1, 9, 14, 20]))
        defer { visit.cleanUp() }
        _ = try await visit.look(check)
    }

    @Test(
        "shows links on a wall as QR codes that others read",
        .enabled(if: Programs.installed("zbarimg") != nil, "zbarimg is not installed"))
    func codes() async throws {
        let visit = try await Visit(
            site: try await DemoSite.folder.value, source: try DemoSite.standing(at: [1.1, 9]))
        defer { visit.cleanUp() }
        _ = try await visit.look("codes")
    }

    @Test("is opened once with a token, which is gone from the address, and remembered")
    func token() async throws {
        let visit = try await Visit(
            site: try await DemoSite.folder.value, source: try DemoSite.standing(at: [1.1, 9]), token: "open-sesame-4711")
        defer { visit.cleanUp() }
        _ = try await visit.look("token")
    }
}
