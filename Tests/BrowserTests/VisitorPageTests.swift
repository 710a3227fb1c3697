import Foundation
import Testing
import TestSupport

/// The page for visitors in a real browser, with a real daemon behind it.
@Suite(
    "The page for visitors", .serialized, .timeLimit(.minutes(15)),
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
        let visit = try await Visit(
            site: try await Self.site("hostile_site.py"), source: try DemoSite.standing(at: [1.1, 9]))
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

    @Test("takes nothing from a reader's hands, and offers what is nearer")
    func reader() async throws {
        let first = try DemoSite.standing(at: [1.1, 9, 14], named: false)
        let visit = try await Visit(site: try await DemoSite.folder.value, source: first)
        defer { visit.cleanUp() }
        let other = try DemoSite.standing(at: [9, 1.1, 14], named: false)
        _ = try await visit.look("reader") { try visit.listen(to: $0 == "first" ? first : other) }
    }

    @Test("mirrors itself for names that run from right to left, and bears names of 200 letters")
    func names() async throws {
        let site = try await Self.site("names_site.py")
        let visit = try await Visit(site: site, source: try DemoSite.standing(at: [1.1, 9, 12, 15], named: false))
        defer { visit.cleanUp() }
        let places = ["1": [1.1, 9, 12, 15], "2": [9, 1.1, 12, 15], "3": [9, 12, 1.1, 15]]
        _ = try await visit.look("names") { wish in
            try visit.listen(to: try DemoSite.standing(at: places[wish] ?? [], named: false))
        }
    }

    @Test("shows sound, captions, sign language and alternative texts, in the visitor's language, while they are valid")
    func rich() async throws {
        let visit = try await Visit(
            site: try await Self.site("rich_site.py"), source: try DemoSite.standing(at: [1.1, 9], named: false))
        defer { visit.cleanUp() }
        _ = try await visit.look("rich")
    }

    @Test("lists twelve of two hundred beacons, fetches each manifest once, and comes compressed")
    func crowd() async throws {
        let distances = [1.1] + (0..<199).map { 4 + Double($0) / 20 }
        let visit = try await Visit(
            site: try await DemoSite.folder.value, source: try DemoSite.standing(at: distances))
        defer { visit.cleanUp() }
        _ = try await visit.look("crowd")
    }

    @Test("is a plain list in a browser without JavaScript")
    func plain() async throws {
        let visit = try await Visit(
            site: try await Self.site("hostile_site.py"), source: try DemoSite.standing(at: [1.1, 9]))
        defer { visit.cleanUp() }
        _ = try await visit.look("plain")
    }

    /// A site that a script of Tests/Peers writes.
    private static func site(_ script: String) async throws -> String {
        let site = try temporaryFolder("site")
        let made = try await WebPeers.run(script, [site, DemoSite.uuid])
        try #require(made.status == 0, "\(made.errors)")
        return site
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
            site: try await DemoSite.folder.value, source: try DemoSite.standing(at: [1.1, 9]),
            token: "open-sesame-4711")
        defer { visit.cleanUp() }
        _ = try await visit.look("token")
    }
}
