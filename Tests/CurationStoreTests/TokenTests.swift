import Beacon
import Curation
import CurationStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
    @Test("a token is known by its secret until it expires or is revoked, and its secret is nowhere in the database")
    func tokens() async throws {
        let bench = try Bench()
        let new = try await bench.store.createToken(
            "shop", scopes: [.read, .report], expiresAt: bench.at(100), by: .program, at: bench.start)
        let found = try #require(try await bench.store.token(new.secret, at: bench.at(99)))
        #expect(found.scopes == [.read, .report] && found.name == "shop")
        #expect(found.createdBy == Author.program.name)
        #expect(try await bench.store.token(new.secret, at: bench.at(100)) == nil)
        #expect(try await bench.store.token(String(new.secret.dropLast()) + "!", at: bench.start) == nil)
        #expect(try await bench.store.tokens().first?.usedAt == bench.at(99))
        try await bench.store.revokeToken(new.token.number)
        #expect(try await bench.store.token(new.secret, at: bench.start) == nil)
        #expect(await failure { try await bench.store.revokeToken(new.token.number) }?.code == .notFound)
        bench.store.close()
        for name in bench.folder.names {
            let bytes = try String(decoding: readAll(bench.folder.path(name)), as: UTF8.self)
            #expect(!bytes.contains(new.secret.dropFirst(4)))
        }
    }

    @Test("a token without a scope, with a time that is over, or one too many is refused")
    func refused() async throws {
        var limits = StoreLimits()
        limits.tokens = 1
        let bench = try Bench(limits)
        func make(_ scopes: Set<APIToken.Scope>, _ expiry: Moment?) async -> StoreError? {
            await failure {
                try await bench.store.createToken(
                    "t", scopes: scopes, expiresAt: expiry, by: .program, at: bench.start)
            }
        }
        #expect(await make([], nil)?.field == "scopes")
        #expect(await make([.read], bench.start)?.field == "expires_at")
        #expect(await make([.read], nil) == nil)
        #expect(await make([.read], nil)?.code == .limit)
    }

    @Test("the first start's link makes an administrator, once")
    func first() async throws {
        let bench = try Bench()
        let store = bench.store
        let old = try #require(try await store.firstLink(at: bench.start))
        let secret = try #require(try await store.firstLink(at: bench.start))
        #expect(try await store.link(old, at: bench.start) == nil)
        #expect(try await store.link(secret, at: bench.start)?.kind == .first)
        // What is wrong with the form does not use the link up.
        let short = await failure { try await store.useLink(secret, name: "ana", password: "x", at: bench.start) }
        #expect(short?.field == "password")
        let name = try await store.useLink(secret, name: "ana", password: "correct horse", at: bench.start)
        #expect(try await store.account(name).role == .administrator)
        let again = await failure {
            try await store.useLink(secret, name: "b", password: "correct horse", at: bench.start)
        }
        #expect(again?.code == .denied)
        #expect(try await store.firstLink(at: bench.start) == nil)
        #expect(try await !store.needsFirstAccount())
        _ = try await store.signIn("ana", password: "correct horse", address: "", at: bench.start)
    }

    @Test("an invitation makes an account with its role, and a taken name leaves it usable")
    func invitation() async throws {
        let bench = try Bench()
        try await bench.store.createAccount("ana", role: .editor, password: nil, at: bench.start)
        let secret = try await bench.store.invite(.viewer, by: .program, at: bench.start)
        let taken = await failure {
            try await bench.store.useLink(secret, name: "ANA", password: "correct horse", at: bench.start)
        }
        #expect(taken?.code == .taken && taken?.field == "name")
        _ = try await bench.store.useLink(secret, name: "ben", password: "correct horse", at: bench.start)
        #expect(try await bench.store.account("ben").role == .viewer)
        let late = try await bench.store.invite(.viewer, by: .program, at: bench.start)
        #expect(try await bench.store.link(late, at: bench.at(CurationStore.linkSeconds)) == nil)
    }

    @Test("a link for a new password ends the account's sessions, and the one before it")
    func password() async throws {
        let bench = try Bench()
        let store = bench.store
        try await store.createAccount("ana", role: .editor, password: "correct horse", at: bench.start)
        let session = try await store.beginSession(of: "ana", address: "", at: bench.start)
        let old = try await store.passwordLink(for: "ana", by: .program, at: bench.start)
        let secret = try await store.passwordLink(for: "ana", by: .program, at: bench.start)
        #expect(try await store.link(old, at: bench.start) == nil)
        #expect(try await store.link(secret, at: bench.start)?.account == "ana")
        #expect(try await store.useLink(secret, name: "ignored", password: "another horse", at: bench.start) == "ana")
        #expect(try await store.session(session.secret, at: bench.start) == nil)
        _ = try await store.signIn("ana", password: "another horse", address: "", at: bench.start)
    }

    @Test("open links are listed until they are used, withdrawn or expire, without what opens them")
    func openLinks() async throws {
        let bench = try Bench()
        let store = bench.store
        _ = try #require(try await store.firstLink(at: bench.start))
        try await store.createAccount("cy", role: .editor, password: "correct horse", at: bench.start)
        for name in ["ana", "ben"] {
            try await store.createAccount(name, role: .administrator, password: nil, at: bench.start)
        }
        let secret = try await store.invite(.viewer, by: bench.ana, at: bench.start)
        let used = try await store.invite(.administrator, by: bench.ben, at: bench.at(1))
        _ = try await store.passwordLink(for: "cy", by: bench.ben, at: bench.at(2))
        let open = try await store.openLinks(at: bench.at(3))
        #expect(open.map(\.link.kind) == [.password, .invitation, .invitation])
        #expect(open.map(\.link.account) == ["cy", nil, nil])
        #expect(open.map(\.link.role) == [nil, .administrator, .viewer])
        #expect(open.map(\.link.createdBy) == ["ben", "ben", "ana"])
        for each in open {
            #expect(each.key != secret)
            #expect(try await store.link(each.key, at: bench.at(3)) == nil)
        }
        _ = try await store.useLink(used, name: "dan", password: "correct horse", at: bench.at(4))
        #expect(try await store.openLinks(at: bench.at(4)).map(\.link.kind) == [.password, .invitation])
        let mine = try #require(try await store.openLinks(at: bench.at(4)).last)
        try await store.withdrawLink(mine.key)
        #expect(try await store.link(secret, at: bench.at(5)) == nil)
        let late = await failure {
            try await store.useLink(secret, name: "eve", password: "correct horse", at: bench.at(5))
        }
        #expect(late?.code == .denied)
        #expect(await failure { try await store.withdrawLink(mine.key) }?.code == .notFound)
        #expect(await failure { try await store.withdrawLink("") }?.code == .notFound)
        #expect(try await store.openLinks(at: bench.at(5)).count == 1)
        #expect(try await store.openLinks(at: bench.at(2 + CurationStore.linkSeconds)).isEmpty)
    }

    /// What ends the links that somebody has made, or that are for somebody.
    enum End: CaseIterable {
        case demoted, disabled, removed

        /// Returns how many tokens were revoked.
        @discardableResult
        func end(_ name: String, _ store: CurationStore) async throws -> Int {
            switch self {
            case .demoted: try await store.updateAccount(name, role: .editor)
            case .disabled: try await store.updateAccount(name, isEnabled: false)
            case .removed: try await store.removeAccount(name)
            }
        }
    }

    @Test("links of somebody who is no administrator any more end: they would make one again", arguments: End.allCases)
    func makersLinks(end: End) async throws {
        let bench = try Bench()
        let store = bench.store
        for name in ["ana", "ben"] {
            try await store.createAccount(name, role: .administrator, password: "correct horse", at: bench.start)
        }
        let mine = try await store.invite(.administrator, by: bench.ana, at: bench.start)
        let other = try await store.invite(.administrator, by: bench.ben, at: bench.start)
        try await end.end("ana", store)
        #expect(try await store.link(mine, at: bench.start) == nil)
        #expect(try await store.link(other, at: bench.start) != nil)
    }

    @Test("a link for an account ends when it is disabled, removed, or gets a password in another way")
    func accountsLinks() async throws {
        let bench = try Bench()
        let store = bench.store
        for name in ["ana", "ben", "cy"] {
            try await store.createAccount(name, role: .editor, password: "correct horse", at: bench.start)
        }
        var links: [String] = []
        for name in ["ana", "ben", "cy"] {
            links.append(try await store.passwordLink(for: name, by: .program, at: bench.start))
        }
        try await store.setPassword("another horse", of: "ana")
        try await store.updateAccount("ben", isEnabled: false)
        try await store.removeAccount("cy")
        for link in links { #expect(try await store.link(link, at: bench.start) == nil) }
    }

    @Test("a disabled account gets no link, and one from before neither opens nor changes its password")
    func disabledLink() async throws {
        let bench = try Bench()
        let store = bench.store
        try await store.createAccount("cy", role: .editor, password: "correct horse", at: bench.start)
        let link = try await store.passwordLink(for: "cy", by: .program, at: bench.start)
        // As an earlier version could leave it: disabling ends links.
        try await SQLite.run("UPDATE account SET is_enabled = 0;", in: bench.folder.path("content.sqlite"))
        let found = try await store.link(link, at: bench.start)
        #expect(found == nil)
        let used = await failure {
            try await store.useLink(link, name: "", password: "another horse", at: bench.start)
        }
        #expect(used?.code == .denied)
        let refused = await failure { try await store.passwordLink(for: "CY", by: .program, at: bench.start) }
        #expect(refused?.code == .invalid && refused?.problem == "the account cy is disabled")
        try await store.updateAccount("cy", isEnabled: true)
        _ = try await store.signIn("cy", password: "correct horse", address: "", at: bench.start)
    }

    @Test("a token that is revoked takes the links with it that its program has made")
    func tokensLinks() async throws {
        let bench = try Bench()
        let made = try await bench.store.createToken(
            "inviter", scopes: [.admin], expiresAt: nil, by: .program, at: bench.start)
        let program = Author(made.token.name, token: made.token.number)
        let link = try await bench.store.invite(.administrator, by: program, at: bench.start)
        let other = try await bench.store.invite(.administrator, by: .program, at: bench.start)
        try await bench.store.revokeToken(made.token.number)
        #expect(try await bench.store.link(link, at: bench.start) == nil)
        #expect(try await bench.store.link(other, at: bench.start) != nil)
    }

    @Test("a program whose token is revoked while it is served makes no token and no link with it any more")
    func revokedMeanwhile() async throws {
        let bench = try Bench()
        let store = bench.store
        try await store.createAccount("cy", role: .administrator, password: "correct horse", at: bench.start)
        let made = try await store.createToken(
            "inviter", scopes: [.admin], expiresAt: nil, by: .program, at: bench.start)
        let program = Author("inviter", token: made.token.number)
        let kept = try await store.passwordLink(for: "cy", by: Author("cy"), at: bench.start)
        try await store.revokeToken(made.token.number)
        func expectDenied() async throws {
            let token = await failure {
                try await store.createToken("t", scopes: [.admin], expiresAt: nil, by: program, at: bench.start)
            }
            let link = await failure { try await store.invite(.administrator, by: program, at: bench.start) }
            let password = await failure { try await store.passwordLink(for: "cy", by: program, at: bench.start) }
            #expect([token, link, password].map { $0?.code } == [.denied, .denied, .denied])
            let open = try await store.openLinks(at: bench.start).map(\.link.createdBy)
            #expect(open == ["cy"])
            // What was refused has not ended the link before it.
            let found = try await store.link(kept, at: bench.start)
            #expect(found != nil)
        }
        try await expectDenied()
        #expect(try await store.tokens().isEmpty)
        // The next token gets the number again.
        let next = try await store.createToken(
            "other", scopes: [.read], expiresAt: nil, by: .program, at: bench.start)
        #expect(next.token.number == made.token.number)
        try await expectDenied()
    }

    @Test(
        "whoever stops being an administrator while a request is served changes no account, token or link with it",
        arguments: End.allCases)
    func endedMeanwhile(end: End) async throws {
        let bench = try Bench()
        let store = bench.store
        for name in ["ana", "ben"] {
            try await store.createAccount(name, role: .administrator, password: "correct horse", at: bench.start)
        }
        try await store.createAccount("cy", role: .editor, password: "correct horse", at: bench.start)
        let token = try await store.createToken("t", scopes: [.read], expiresAt: nil, by: bench.ben, at: bench.start)
        _ = try await store.invite(.viewer, by: bench.ben, at: bench.start)
        let link = try #require(try await store.openLinks(at: bench.start).first)
        try await end.end("ana", store)
        let before = try await store.accounts()
        let errors = [
            await failure {
                try await store.createAccount(
                    "eve", role: .administrator, password: nil, by: bench.ana, at: bench.start)
            },
            await failure { try await store.updateAccount("cy", role: .administrator, by: bench.ana) },
            await failure { try await store.removeAccount("cy", by: bench.ana) },
            await failure {
                try await store.createToken("t", scopes: [.admin], expiresAt: nil, by: bench.ana, at: bench.start)
            },
            await failure { try await store.invite(.administrator, by: bench.ana, at: bench.start) },
            await failure { try await store.passwordLink(for: "cy", by: bench.ana, at: bench.start) },
            await failure { try await store.revokeToken(token.token.number, by: bench.ana) },
            await failure { try await store.withdrawLink(link.key, by: bench.ana) },
        ]
        for error in errors { #expect(error?.code == .denied) }
        #expect(try await store.accounts() == before)
        #expect(try await store.tokens() == [token.token])
        #expect(try await store.openLinks(at: bench.start) == [link])
    }

    @Test(
        "tokens with admin of somebody who is no administrator any more end, and are counted", arguments: End.allCases)
    func makersTokens(end: End) async throws {
        let bench = try Bench()
        let store = bench.store
        for name in ["ana", "ben"] {
            try await store.createAccount(name, role: .administrator, password: "correct horse", at: bench.start)
        }
        func make(_ scopes: Set<APIToken.Scope>, _ author: Author, _ name: String = "t") async throws -> NewToken {
            try await store.createToken(name, scopes: scopes, expiresAt: nil, by: author, at: bench.start)
        }
        let mine = try await make([.read, .admin], bench.ana)
        let reading = try await make([.read, .edit, .publish, .report], bench.ana)
        let other = try await make([.admin], bench.ben, "ana")
        // A program with a token that has the account's name is somebody else.
        let named = Author("ana", token: other.token.number)
        let others = try await make([.admin], named)
        // What the program with the account's token has made goes with it, and what was made with that.
        let second = try await make([.admin], Author("t", token: mine.token.number))
        let third = try await make([.admin], Author("t", token: second.token.number))
        let link = try await store.invite(.administrator, by: Author("t", token: third.token.number), at: bench.start)
        let othersLink = try await store.invite(.administrator, by: named, at: bench.start)
        let revoked = try await end.end("ana", store)
        #expect(revoked == 3)
        let tokens = try await store.tokens().map(\.number)
        #expect(tokens == [others, other, reading].map(\.token.number))
        for each in [mine, second, third] {
            #expect(try await store.token(each.secret, at: bench.start) == nil)
        }
        #expect(try await store.link(link, at: bench.start) == nil)
        #expect(try await store.link(othersLink, at: bench.start) != nil)
    }

    @Test("nothing ends where no administrator would be left, nor with a change that takes no power")
    func keptTokens() async throws {
        let bench = try Bench()
        let store = bench.store
        try await store.createAccount("ana", role: .administrator, password: "correct horse", at: bench.start)
        let made = try await store.createToken(
            "t", scopes: [.admin], expiresAt: nil, by: bench.ana, at: bench.start)
        let last = await failure { try await store.removeAccount("ana") }
        #expect(last?.code == .denied)
        let revoked = try await store.updateAccount("ana", role: .administrator, language: "de", isEnabled: true)
        #expect(revoked == 0)
        #expect(try await store.token(made.secret, at: bench.start) != nil)
    }

    @Test("a token that is revoked takes the tokens with admin with it that its program has made, and counts them")
    func tokensTokens() async throws {
        let bench = try Bench()
        func make(_ scopes: Set<APIToken.Scope>, _ author: Author) async throws -> NewToken {
            try await bench.store.createToken("ana", scopes: scopes, expiresAt: nil, by: author, at: bench.start)
        }
        let first = try await make([.admin], .program)
        let program = Author("ana", token: first.token.number)
        let second = try await make([.admin], program)
        let reading = try await make([.read], program)
        let other = try await make([.admin], .program)
        let revoked = try await bench.store.revokeToken(first.token.number)
        #expect(revoked == 1)
        let left = try await bench.store.tokens().map(\.number)
        #expect(left == [other.token.number, reading.token.number])
        #expect(try await bench.store.token(second.secret, at: bench.start) == nil)
    }

    @Test("a token of an earlier version, which did not note who made it, ends with an account or token of this name")
    func unknownMakers() async throws {
        let bench = try Bench()
        let store = bench.store
        for name in ["ana", "ben"] {
            try await store.createAccount(name, role: .administrator, password: "correct horse", at: bench.start)
        }
        let shop = try await store.createToken(
            "shop", scopes: [.admin], expiresAt: nil, by: bench.ben, at: bench.start)
        for author in [bench.ana, Author("shop", token: shop.token.number)] {
            _ = try await store.createToken(
                "of \(author.name)", scopes: [.admin], expiresAt: nil, by: author, at: bench.start)
        }
        try await SQLite.run("UPDATE token SET made_with = NULL;", in: bench.folder.path("content.sqlite"))
        let withToken = try await store.revokeToken(shop.token.number)
        #expect(withToken == 1)
        #expect(try await store.tokens().map(\.name) == ["of ana"])
        let withAccount = try await store.removeAccount("ana")
        #expect(withAccount == 1)
    }
}
