package import Curation
import GRDB

extension CurationStore {
    /// The lifetime of a link in seconds.
    package static let linkSeconds = 7.0 * 86_400

    /// Whether nobody can sign in as administrator yet.
    package func needsFirstAccount() async throws(StoreError) -> Bool {
        try await read { db in try Self.needsFirstAccount(db) }
    }

    /// Creates a link for the first account. An earlier link ends.
    ///
    /// - Returns: the secret for `/link/{secret}`; nil if there is an administrator.
    package func firstLink(at now: Moment) async throws(StoreError) -> String? {
        try await write { db in
            guard try Self.needsFirstAccount(db) else { return nil }
            try db.execute(sql: "DELETE FROM link WHERE kind = 'first'")
            return try self.putLink(.first, nil, .administrator, .program, now, db)
        }
    }

    /// Creates a link with which a person can create an account.
    ///
    /// - Throws: `limit`; `denied` if the author may not do this any more.
    package func invite(_ role: Account.Role, by author: Author, at now: Moment) async throws(StoreError) -> String {
        try await write { db in try self.putLink(.invitation, nil, role, author, now, db) }
    }

    /// Creates a link with which the owner of an account can choose a new password. An earlier link ends. The old
    /// password is valid until the link is used.
    ///
    /// - Throws: `notFound`, `limit`; `invalid` for a disabled account; `denied` if the author may not do this any
    ///   more.
    package func passwordLink(for name: String, by author: Author, at now: Moment) async throws(StoreError) -> String {
        try await write { db in
            let row = try Self.accountRow(name, db)
            guard try row.flag("is_enabled") else {
                throw StoreError(
                    .invalid, "the account \(try row.text("name")) is disabled", remedy: "enable it first")
            }
            let number = try row.integer("number")
            try db.execute(sql: "DELETE FROM link WHERE account = ?", arguments: [number])
            return try self.putLink(.password, number, nil, author, now, db)
        }
    }

    /// The invitations and password links that can still be used, newest first.
    package func openLinks(at now: Moment) async throws(StoreError) -> [OpenLink] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT l.*, a.name, lower(hex(l.hash)) AS link_key \
                    FROM link l LEFT JOIN account a ON a.number = l.account \
                    WHERE l.kind != 'first' AND l.expires_at > ? ORDER BY l.created_at DESC, link_key
                    """, arguments: [now.microseconds])
            return try rows.map { row in
                OpenLink(key: try row.text("link_key"), link: try Self.link(of: row))
            }
        }
    }

    /// Ends a link before it is used.
    ///
    /// - Parameters:
    ///   - key: the key from `openLinks`.
    ///   - author: whose rights are checked; the program itself always has them.
    /// - Throws: `notFound`; `denied` if the author may not do this any more.
    package func withdrawLink(_ key: String, by author: Author = .program) async throws(StoreError) {
        try await write { db in
            try Self.checkRights(of: author, db)
            try db.execute(
                sql: "DELETE FROM link WHERE kind != 'first' AND lower(hex(hash)) = ?", arguments: [key])
            guard db.changesCount == 1 else {
                throw StoreError(
                    .notFound, "this link was used or withdrawn, or has expired", remedy: "list the open links")
            }
        }
    }

    /// The purpose of a link; this does not use it. Nil if it is unknown, was used or has expired, or if its account is
    /// disabled.
    package func link(_ secret: String, at now: Moment) async throws(StoreError) -> OneTimeLink? {
        try await read { db in try Self.link(secret, now, db)?.link }
    }

    /// Uses a link: creates its account, or sets the password and ends the account's sessions.
    ///
    /// - Parameter name: the name of a new account; ignored for a password link.
    /// - Returns: the account's name.
    /// - Throws: `denied`; `taken` or `invalid` for a field, and then the link can still be used.
    package func useLink(
        _ secret: String, name: String, password: String, at now: Moment
    ) async throws(StoreError) -> String {
        guard try await link(secret, at: now) != nil else { throw Self.usedLink }
        let name = AccountName.stored(name)
        let hash = try await passwordHash(password)
        return try await write { db in
            guard let (link, number) = try Self.link(secret, now, db) else { throw Self.usedLink }
            try db.execute(sql: "DELETE FROM link WHERE hash = ?", arguments: [Secret.hash(secret)])
            if let number, let account = link.account {
                try db.execute(sql: "UPDATE account SET password = ? WHERE number = ?", arguments: [hash, number])
                try db.execute(sql: "DELETE FROM session WHERE account = ?", arguments: [number])
                return account
            }
            try Self.checkName(name)
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM account") ?? 0
            guard count < self.limits.accounts else {
                throw StoreError(.limit, "there are \(count) accounts, which is the maximum", remedy: "remove some")
            }
            try Self.checkIsFree(name, db)
            if link.kind == .first, try !Self.needsFirstAccount(db) { throw Self.usedLink }
            try db.execute(
                sql: "INSERT INTO account (name, role, password, created_at) VALUES (?, ?, ?, ?)",
                arguments: [name, (link.role ?? .viewer).rawValue, hash, now.microseconds])
            return name
        }
    }

    // MARK: - Parts

    private static let usedLink = StoreError(
        .denied, "this link was used or has expired", remedy: "ask an administrator for a new one")

    private static func needsFirstAccount(_ db: Database) throws -> Bool {
        try Row.fetchOne(
            db,
            sql: """
                SELECT 1 FROM account WHERE role = 'administrator' AND is_enabled AND password IS NOT NULL LIMIT 1
                """) == nil
    }

    private func putLink(
        _ kind: OneTimeLink.Kind, _ account: Int64?, _ role: Account.Role?, _ author: Author, _ now: Moment,
        _ db: Database
    ) throws -> String {
        try Self.checkRights(of: author, db)
        try db.execute(sql: "DELETE FROM link WHERE expires_at <= ?", arguments: [now.microseconds])
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM link") ?? 0
        guard count < limits.links else {
            throw StoreError(.limit, "\(count) links are open, which is the maximum", remedy: "withdraw some of them")
        }
        let secret = Secret.random()
        try db.execute(
            sql: """
                INSERT INTO link (hash, kind, account, role, created_by, created_at, expires_at, made_with) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Secret.hash(secret), kind.rawValue, account, role?.rawValue, author.name, now.microseconds,
                now.advanced(bySeconds: Self.linkSeconds).microseconds, author.token ?? 0,
            ])
        return secret
    }

    private static func link(
        _ secret: String, _ now: Moment, _ db: Database
    ) throws -> (link: OneTimeLink, account: Int64?)? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT l.*, a.name FROM link l LEFT JOIN account a ON a.number = l.account \
                WHERE l.hash = ? AND l.expires_at > ? AND (a.number IS NULL OR a.is_enabled)
                """, arguments: [Secret.hash(secret), now.microseconds])
        guard let row else { return nil }
        return (try Self.link(of: row), row.optionalInteger("account"))
    }

    /// - Parameter row: the row of the link, with the `name` of its account.
    private static func link(of row: Row) throws -> OneTimeLink {
        OneTimeLink(
            kind: try row.value("kind", as: OneTimeLink.Kind.self), account: row.optionalText("name"),
            role: row.optionalText("role").flatMap(Account.Role.init(rawValue:)),
            createdBy: try row.text("created_by"), expiresAt: try row.moment("expires_at"))
    }
}
