import Beacon
package import Curation
import GRDB

extension CurationStore {
    /// Creates a token for a program.
    ///
    /// - Throws: `invalid` (field `name`, `scopes` or `expires_at`), `taken` (field `name`), `limit`; `denied` if the
    ///   author may not do this any more.
    package func createToken(
        _ name: String, scopes: Set<APIToken.Scope>, expiresAt: Moment?, by author: Author, at now: Moment
    ) async throws(StoreError) -> NewToken {
        try Self.checkName(name)
        guard !scopes.isEmpty else {
            throw StoreError(.invalid, "a token needs a scope", remedy: "choose what it is for", field: "scopes")
        }
        if let expiresAt, expiresAt <= now {
            throw StoreError(
                .invalid, "it would have expired already", remedy: "choose a later time", field: "expires_at")
        }
        // Programs that search files for secrets recognise them by such a prefix.
        let secret = "bcs_" + Secret.random()
        return try await write { db in
            try Self.checkRights(of: author, db)
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM token") ?? 0
            guard count < self.limits.tokens else {
                throw StoreError(.limit, "there are \(count) tokens, which is the maximum", remedy: "revoke some")
            }
            try db.execute(
                sql: """
                    INSERT INTO token (hash, name, scopes, created_by, created_at, expires_at, made_with) \
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Secret.hash(secret), name, scopes.map(\.rawValue).sorted().joined(separator: " "), author.name,
                    now.microseconds, expiresAt?.microseconds, author.token ?? 0,
                ])
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM token WHERE number = ?", arguments: [db.lastInsertedRowID])
            guard let row else { throw StoreError.damaged("no token that was just made") }
            return NewToken(secret: secret, token: try Self.token(row))
        }
    }

    /// The token of a secret; nil if there is none or it has expired. Records the use at most once a minute.
    package func token(_ secret: String, at now: Moment) async throws(StoreError) -> APIToken? {
        guard secret.utf8.count == 47 else { return nil }
        let hash = Secret.hash(secret)
        let found = try await read { db in
            let statement = try db.cachedStatement(sql: "SELECT * FROM token WHERE hash = ?")
            return try Row.fetchOne(statement, arguments: [hash]).map(Self.token)
        }
        guard let found, found.expiresAt.map({ now < $0 }) ?? true else { return nil }
        if found.usedAt.map({ now.time.seconds(since: $0.time) > 60 }) ?? true {
            // A failure is ignored: reading works even if nothing can be written.
            try? await write { db in
                try db.execute(
                    sql: "UPDATE token SET used_at = max(coalesce(used_at, 0), ?) WHERE number = ?",
                    arguments: [now.microseconds, found.number])
            }
        }
        return found
    }

    /// All tokens, newest first, including expired ones.
    package func tokens() async throws(StoreError) -> [APIToken] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM token ORDER BY number DESC").map(Self.token)
        }
    }

    /// Ends a token, the links that were created with it, and the tokens with the scope `admin` likewise.
    ///
    /// - Parameter author: whose rights are checked; the program itself always has them.
    /// - Returns: how many other tokens were revoked.
    /// - Throws: `notFound`; `denied` if the author may not do this any more.
    @discardableResult
    package func revokeToken(_ number: Int64, by author: Author = .program) async throws(StoreError) -> Int {
        try await write { db in
            try Self.checkRights(of: author, db)
            let name = try String.fetchOne(db, sql: "SELECT name FROM token WHERE number = ?", arguments: [number])
            guard let name else {
                throw StoreError(.notFound, "there is no token \(number)", remedy: "list the tokens")
            }
            try db.execute(sql: "DELETE FROM token WHERE number = ?", arguments: [number])
            return try Self.endPowers(of: Author(name, token: number), db)
        }
    }

    /// Ends what somebody has made that could make another administrator: links, and tokens with the scope `admin`,
    /// with what was made with these.
    ///
    /// Where an earlier version did not note whether an account or a token of this name has made it, it ends, too.
    ///
    /// - Returns: how many tokens were revoked.
    static func endPowers(of author: Author, _ db: Database) throws -> Int {
        let isMaker = "(made_with = ? OR (created_by = ? AND made_with IS NULL))"
        let isAccount = "(created_by = ? AND (made_with = 0 OR made_with IS NULL))"
        var makers = [author]
        var revoked = 0
        while let maker = makers.popLast() {
            let condition = maker.token == nil ? isAccount : isMaker
            let arguments: StatementArguments =
                maker.token.map { [$0, maker.name] } ?? [maker.name]
            try db.execute(sql: "DELETE FROM link WHERE \(condition)", arguments: arguments)
            let made = try Row.fetchAll(db, sql: "SELECT * FROM token WHERE \(condition)", arguments: arguments)
                .map(Self.token).filter { $0.scopes.contains(.admin) }
            for token in made {
                try db.execute(sql: "DELETE FROM token WHERE number = ?", arguments: [token.number])
                revoked += 1
                makers.append(Author(token.name, token: token.number))
            }
        }
        return revoked
    }

    /// Checks that an author may still change accounts, tokens and links: that the token of a program is there, and
    /// that somebody else is an administrator. That may have ended since the author was let in, and what is made
    /// afterwards would never end.
    ///
    /// - Throws: `denied`.
    static func checkRights(of author: Author, _ db: Database) throws {
        if Author.reserved.contains(author) { return }
        guard let number = author.token else {
            let found = try Int.fetchOne(
                db, sql: "SELECT 1 FROM account WHERE name = ? AND role = 'administrator' AND is_enabled",
                arguments: [author.name])
            guard found != nil else {
                throw StoreError(
                    .denied, "\(author.name) is no administrator any more", remedy: "ask an administrator for it")
            }
            return
        }
        // The number of a token that is gone may be another one's.
        let found = try Int.fetchOne(
            db, sql: "SELECT 1 FROM token WHERE number = ? AND name = ?", arguments: [number, author.name])
        guard found != nil else {
            throw StoreError(.denied, "the token was revoked", remedy: "use another one")
        }
    }

    private static func token(_ row: Row) throws -> APIToken {
        APIToken(
            number: try row.integer("number"), name: try row.text("name"),
            scopes: Set(
                try row.text("scopes").split(separator: " ").compactMap { APIToken.Scope(rawValue: String($0)) }),
            createdBy: try row.text("created_by"), createdAt: try row.moment("created_at"),
            expiresAt: row.optionalMoment("expires_at"), usedAt: row.optionalMoment("used_at"))
    }
}
