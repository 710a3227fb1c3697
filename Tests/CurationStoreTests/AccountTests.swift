import Beacon
import Curation
import CurationStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AccountTests {
    @Test("a session begins with the right password, and ends by signing out, by idleness and by age")
    func sessions() async throws {
        let bench = try Bench()
        try await bench.store.createAccount("Ana", role: .editor, password: "correct horse", at: bench.start)
        let new = try await bench.store.signIn("ana", password: "correct horse", address: "::1", at: bench.start)
        #expect(new.session.account.name == "Ana" && new.session.account.role == .editor)
        #expect(new.secret.count == 43 && new.session.csrf != new.secret)
        #expect(try await bench.store.session(new.secret, at: bench.at(60))?.csrf == new.session.csrf)
        let other = (new.secret.hasPrefix("x") ? "y" : "x") + new.secret.dropFirst()
        #expect(try await bench.store.session(other, at: bench.start) == nil)
        let idle = StoreLimits().sessionIdleSeconds
        #expect(try await bench.store.session(new.secret, at: bench.at(idle + 1)) == nil)
        // Used in time, it goes on, but not for ever.
        var time = 0.0
        while time + idle / 2 < StoreLimits().sessionSeconds {
            time += idle / 2
            try #require(try await bench.store.session(new.secret, at: bench.at(time)) != nil)
        }
        #expect(try await bench.store.session(new.secret, at: bench.at(StoreLimits().sessionSeconds)) == nil)
        let second = try await bench.store.signIn("ana", password: "correct horse", address: "::1", at: bench.start)
        try await bench.store.endSession(second.secret)
        #expect(try await bench.store.session(second.secret, at: bench.start) == nil)
    }

    @Test("who is signed in, or has a token, gets in also where nothing can be written")
    func unwritable() async throws {
        let bench = try Bench()
        try await bench.store.createAccount("Ana", role: .editor, password: "correct horse", at: bench.start)
        let session = try await bench.store.beginSession(of: "ana", address: "", at: bench.start)
        let token = try await bench.store.createToken(
            "shop", scopes: [.read], expiresAt: nil, by: .program, at: bench.start)
        try await SQLite.run(
            """
            CREATE TRIGGER s BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'no'); END;
            CREATE TRIGGER t BEFORE UPDATE ON token BEGIN SELECT RAISE(ABORT, 'no'); END;
            """, in: bench.folder.path("content.sqlite"))
        #expect(try await bench.store.session(session.secret, at: bench.at(120))?.account.name == "Ana")
        #expect(try await bench.store.token(token.secret, at: bench.at(120))?.name == "shop")
    }

    @Test("a wrong password and an unknown name are refused in the same words, and too many attempts wait")
    func wrong() async throws {
        let bench = try Bench()
        try await bench.store.createAccount("ana", role: .viewer, password: "correct horse", at: bench.start)
        func attempt(_ name: String, _ password: String, at seconds: Double = 0) async -> StoreError? {
            await failure {
                try await bench.store.signIn(name, password: password, address: "1", at: bench.at(seconds))
            }
        }
        let wrong = await attempt("ana", "wrong horse")
        let unknown = await attempt("bob", "wrong horse")
        #expect(wrong?.code == .denied && wrong == unknown)
        for _ in 0..<4 { #expect(await attempt("ANA", "x")?.code == .denied) }
        let late = await attempt("ana", "correct horse")
        #expect(late?.code == .tooOften)
        #expect(await attempt("ana", "correct horse", at: Double(try #require(late?.retryAfter))) == nil)
    }

    @Test("the sign-in limit counts by account and by address, forgets with time, and stays bounded")
    func limit() {
        var limit = SignInLimit()
        let bench = Moment(Timestamp(seconds: 1_000_000))
        func at(_ seconds: Double) -> Moment { Moment(bench.time.advanced(bySeconds: seconds)) }
        for number in 0..<Int(SignInLimit.mostOfAddress) {
            #expect(limit.wait(account: "n\(number)", address: "a", at: bench) == nil)
            limit.begin(account: "n\(number)", address: "a", at: bench)
        }
        #expect(limit.wait(account: "other", address: "a", at: bench) == 60)
        #expect(limit.wait(account: "other", address: "b", at: bench) == nil)
        #expect(limit.wait(account: "other", address: "a", at: at(60)) == nil)
        // A clock that goes back locks nobody out for longer.
        #expect(limit.wait(account: "other", address: "a", at: at(-5000)) == 60)
        #expect(limit.wait(account: "other", address: "a", at: at(-4940)) == nil)
        for number in 0..<50_000 { limit.begin(account: "x\(number)", address: "y\(number)", at: bench) }
        #expect(limit.wait(account: "x49999", address: "y49999", at: bench) == nil)
    }

    @Test(
        "failed sign-ins from one IPv6 network count together, and an IPv4 address counts in each of its forms",
        arguments: [
            ("2001:db8:1:2::", "2001:db8:1:2:ffff::1", "2001:db8:1:3::1"),
            ("2001:DB8:1:2:0:0:0:", "2001:db8:1:2::ffff", "2001:db8:1::1"),
            ("::ffff:192.0.2.", "192.0.2.1", "192.0.2.99"),
        ])
    func networks(_ prefix: String, _ same: String, _ other: String) {
        var limit = SignInLimit()
        let now = Moment(Timestamp(seconds: 1_000_000))
        let isIPv4 = prefix.hasSuffix(".")
        for number in 1...Int(SignInLimit.mostOfAddress) {
            let early = limit.wait(account: "other", address: same, at: now)
            #expect(early == nil)
            // An IPv4 address stays itself: its neighbours are other hosts.
            limit.begin(account: "n\(number)", address: prefix + (isIPv4 ? "1" : "\(number)"), at: now)
        }
        let (waited, free) = (
            limit.wait(account: "other", address: same, at: now), limit.wait(account: "other", address: other, at: now)
        )
        #expect(waited == 60 && free == nil)
    }

    @Test("failures elsewhere do not keep an account out where it has signed in, and there it has as few attempts")
    func known() {
        var limit = SignInLimit()
        let now = Moment(Timestamp(seconds: 1_000_000))
        func fail(_ address: String) {
            for _ in 0..<Int(SignInLimit.mostOfAccount) { limit.begin(account: "ana", address: address, at: now) }
        }
        func wait(_ account: String, _ address: String) -> Int? {
            limit.wait(account: account, address: address, at: now)
        }
        limit.begin(account: "ana", address: "192.0.2.1", at: now)
        limit.succeed(account: "Ana", address: "192.0.2.1")
        fail("192.0.2.9")
        let waits = ["192.0.2.9", "192.0.2.2", "192.0.2.1"].map { wait("ANA", $0) }
        #expect(waits == [60, 60, nil])
        // A success there does not help whoever tries elsewhere.
        limit.begin(account: "ana", address: "192.0.2.1", at: now)
        limit.succeed(account: "ana", address: "192.0.2.1")
        let elsewhere = wait("ana", "192.0.2.9")
        fail("192.0.2.1")
        let there = wait("ana", "192.0.2.1")
        #expect(elsewhere == 60 && there == 60)
        // Of another account, that address is not known.
        for _ in 0..<Int(SignInLimit.mostOfAccount) { limit.begin(account: "ben", address: "192.0.2.9", at: now) }
        let other = wait("ben", "192.0.2.1")
        #expect(other == 60)
    }

    @Test("a new password, a disabled account and a removed one end their sessions")
    func ended() async throws {
        let bench = try Bench()
        let store = bench.store
        try await store.createAccount("root", role: .administrator, password: "correct horse", at: bench.start)
        for change in 0..<3 {
            try await store.createAccount("ana", role: .editor, password: "correct horse", at: bench.start)
            let new = try await store.beginSession(of: "ana", address: "", at: bench.start)
            switch change {
            case 0: try await store.setPassword("another horse", of: "ana")
            case 1: try await store.updateAccount("ana", isEnabled: false)
            default: try await store.removeAccount("ana")
            }
            #expect(try await store.session(new.secret, at: bench.start) == nil)
            if change < 2 { try await store.removeAccount("ana") }
        }
        for error in [
            await failure { try await store.removeAccount("root") },
            await failure { try await store.updateAccount("root", role: .editor) },
            await failure { try await store.updateAccount("root", isEnabled: false) },
        ] { #expect(error?.code == .denied) }
        #expect(try await store.account("root").role == .administrator)
    }

    @Test("an account has a bounded number of sessions, and the oldest makes room")
    func bounded() async throws {
        var limits = StoreLimits()
        limits.sessionsOfAccount = 3
        let bench = try Bench(limits)
        try await bench.store.createAccount("ana", role: .editor, password: nil, at: bench.start)
        var secrets: [String] = []
        for number in 0..<5 {
            secrets.append(
                try await bench.store.beginSession(of: "ana", address: "", at: bench.at(Double(number))).secret)
        }
        var open: [Bool] = []
        for secret in secrets { open.append(try await bench.store.session(secret, at: bench.at(9)) != nil) }
        #expect(open == [false, false, true, true, true])
    }

    @Test(
        "names and passwords that cannot be used are refused beside their field",
        arguments: [
            ("", "correct horse", "name"), (" ana", "correct horse", "name"), ("a\u{202E}b", "correct horse", "name"),
            ("\u{3164}", "correct horse", "name"), ("ana\u{A0}", "correct horse", "name"),
            (String(repeating: "a", count: 61), "correct horse", "name"), ("ana", "short", "password"),
            ("ana", String(repeating: "p", count: 201), "password"),
        ])
    func names(_ name: String, _ password: String, _ field: String) async throws {
        let bench = try Bench()
        let error = await failure {
            try await bench.store.createAccount(name, role: .viewer, password: password, at: bench.start)
        }
        #expect(error?.code == .invalid && error?.field == field)
    }

    @Test(
        "names under which the server itself makes changes are refused for accounts and tokens",
        arguments: ["schedule", "Schedule", "beacon-content-server", "BEACON-content-server\u{FE0F}"])
    func reserved(name: String) async throws {
        let bench = try Bench()
        let store = bench.store
        let link = try await store.invite(.viewer, by: .program, at: bench.start)
        let created = await failure {
            try await store.createAccount(name, role: .viewer, password: nil, at: bench.start)
        }
        let invited = await failure {
            try await store.useLink(link, name: name, password: "correct horse", at: bench.start)
        }
        let token = await failure {
            try await store.createToken(name, scopes: [.read], expiresAt: nil, by: .program, at: bench.start)
        }
        for error in [created, invited, token] { #expect(error?.code == .taken && error?.field == "name") }
        // The link was not used up.
        #expect(try await store.useLink(link, name: "ben", password: "correct horse", at: bench.start) == "ben")
    }

    /// A name in the form NFC.
    private static let composed = "Zo\u{EB} Stra\u{DF}"
    /// The same in the form NFD.
    private static let decomposed = "Zoe\u{308} Stra\u{DF}"

    @Test("an account is found however its name is written, and no other one may look the same")
    func alike() async throws {
        let bench = try Bench()
        let store = bench.store
        let made = try await store.createAccount(
            Self.decomposed, role: .editor, password: "correct horse", at: bench.start)
        #expect(Array(made.name.utf8) == Array(Self.composed.utf8))
        let link = try await store.invite(.viewer, by: .program, at: bench.start)
        let names = [
            Self.composed, Self.decomposed, "ZO\u{CB} STRASS", "zoe\u{308}\u{34F}\u{A0}stra\u{DF}",
            "\u{34F} Zo\u{EB}\u{FE0F} \u{2003} Strass",
        ]
        for name in names {
            let new = try await store.signIn(name, password: "correct horse", address: "1", at: bench.start)
            let account = try await store.account(Self.composed)
            #expect(new.session.account == account)
            let created = await failure {
                try await store.createAccount(name, role: .administrator, password: nil, at: bench.start)
            }
            let invited = await failure {
                try await store.useLink(link, name: name, password: "correct horse", at: bench.start)
            }
            for error in [created, invited] { #expect(error?.code == .taken && error?.field == "name") }
        }
        // Other spellings give no more attempts.
        for name in names { #expect(await Self.attempt(name, "x", bench)?.code == .denied) }
        #expect(await Self.attempt("zo\u{EB} strass", "correct horse", bench)?.code == .tooOften)
    }

    @Test("accounts of earlier versions that look alike sign in with the name as it is written")
    func former() async throws {
        let bench = try Bench()
        try await bench.store.createAccount(
            Self.composed, role: .editor, password: "correct horse", at: bench.start)
        try await SQLite.run(
            """
            INSERT INTO account (name, role, password, created_at)
            SELECT '\(Self.decomposed)', 'viewer', password, created_at FROM account;
            """, in: bench.folder.path("content.sqlite"))
        let expected: [(String, Account.Role)] = [
            (Self.composed, .editor), (Self.decomposed, .viewer), ("zo\u{EB} stra\u{DF}", .editor),
            ("ZOE\u{308} stra\u{DF}", .viewer),
        ]
        for (name, role) in expected {
            let new = try await bench.store.signIn(name, password: "correct horse", address: "1", at: bench.start)
            #expect(new.session.account.role == role, "\(name)")
        }
        #expect(await Self.attempt("Zo\u{EB} Strass", "correct horse", bench)?.code == .denied)
        try await bench.store.removeAccount(Self.decomposed)
        #expect(try await bench.store.accounts().map(\.role) == [.editor])
    }

    private static func attempt(_ name: String, _ password: String, _ bench: Bench) async -> StoreError? {
        await failure {
            try await bench.store.signIn(name, password: password, address: "1", at: bench.start)
        }
    }

    @Test("whoever has a document open is told of the others, until their pages are silent or closed")
    func presence() throws {
        var presence = Presence()
        let start = Moment(Timestamp(seconds: 1000))
        func at(_ seconds: Double) -> Moment { Moment(start.time.advanced(bySeconds: seconds)) }
        let whale = try #require(DocumentID("whale"))
        #expect(presence.note("ana", page: "1", on: whale, at: start) == [])
        #expect(presence.note("ben", page: "2", on: whale, at: at(5)) == ["ana"])
        #expect(presence.note("ana", page: "1", on: whale, at: at(10)) == ["ben"])
        #expect(presence.note("ana", page: "3", on: whale, at: at(11)) == ["ana", "ben"])
        presence.leave("ben", page: "2", on: whale)
        #expect(presence.editors(of: whale, at: at(12)) == ["ana"])
        #expect(presence.editors(of: whale, at: at(60)) == [])
        #expect(presence.note("cid", page: "4", on: .site, at: at(12)) == [])
    }
}
