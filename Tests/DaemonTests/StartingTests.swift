import DaemonSettings
import Daemon
import Testing

@Suite struct StartingTests {
    @Test("a user who may write the system's folders uses them")
    func userWhoMayWrite() {
        let folders = StandardFolders(["HOME": "/home/u"]) { _ in true }
        #expect(folders.state == "/var/lib/beacond" && folders.cache == "/var/cache/beacond" && folders.note == nil)
    }

    @Test("another user has folders of their own, and is told where", arguments: [
        (["HOME": "/home/u"], "/home/u/.local/state/beacond", "/home/u/.cache/beacond"),
        (
            ["HOME": "/home/u", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"], "/s/beacond", "/c/beacond"
        ),
        (["HOME": "/home/u", "XDG_STATE_HOME": "relative"], "/home/u/.local/state/beacond", "/home/u/.cache/beacond"),
    ])
    func anotherUser(environment: [String: String], state: String, cache: String) {
        let folders = StandardFolders(environment) { _ in false }
        #expect(folders.state == state && folders.cache == cache)
        #expect(folders.note == "state is kept in \(state), since /var/lib/beacond is not for this user to write")
    }

    @Test("a user without a home keeps the system's folders")
    func userWithout() {
        #expect(StandardFolders([:]) { _ in false }.state == "/var/lib/beacond")
    }

    @Test("the same refusal is told once for a change and the reload that follows it")
    func sameRefusal() {
        let start = ContinuousClock.now
        var memory = RefusalMemory()
        let asks: [(problem: String, isAsked: Bool, after: Double)] = [
            ("a", false, 0), ("a", true, 1), ("a", false, 3600), ("b", false, 3601),
            // Who asks much later has not seen it.
            ("b", true, 7200),
        ]
        let told = asks.map { memory.isNews([$0.problem], isAsked: $0.isAsked, at: start + .seconds($0.after)) }
        #expect(told == [true, false, false, true, true])
        let forgotten = (memory.forget(), memory.forget())
        #expect(forgotten == (true, false), "a good configuration is news once")
        let isToldAgain = memory.isNews(["b"], isAsked: false, at: start + .seconds(7201))
        #expect(isToldAgain)
    }
}
