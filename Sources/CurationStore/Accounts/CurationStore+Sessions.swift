import Beacon
package import Curation
import GRDB
import Synchronization

extension CurationStore {
    /// Signs in a person.
    ///
    /// - Parameter address: the client's address. Its attempts are limited like those of the account.
    /// - Throws: `denied` for both a wrong name and a wrong password; `tooOften` with `retryAfter`; `busy`.
    package func signIn(
        _ name: String, password: String, address: String, at now: Moment
    ) async throws(StoreError) -> NewSession {
        let name = try await verify(name, password, address, now)
        return try await beginSession(of: name, address: address, at: now)
    }

    /// Starts a session of a person whose identity is already known, for example by a one-time link.
    package func beginSession(
        of name: String, address: String, at now: Moment
    ) async throws(StoreError) -> NewSession {
        try await write { db in
            let row = try Self.accountRow(name, db)
            let number = try row.integer("number")
            guard try row.flag("is_enabled") else { throw Self.wrong }
            let (secret, csrf) = (Secret.random(), Secret.random())
            try self.endOldSessions(now, db)
            // The oldest sessions make room for the new one.
            try db.execute(
                sql: """
                    DELETE FROM session WHERE hash IN (SELECT hash FROM session WHERE account = ? \
                    ORDER BY used_at DESC LIMIT -1 OFFSET ?)
                    """, arguments: [number, self.limits.sessionsOfAccount - 1])
            try db.execute(
                sql: """
                    INSERT INTO session (hash, account, csrf, created_at, used_at, address) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Secret.hash(secret), number, csrf, now.microseconds, now.microseconds, String(address.prefix(100)),
                ])
            try db.execute(
                sql: "UPDATE account SET signed_in_at = ? WHERE number = ?", arguments: [now.microseconds, number])
            guard let session = try self.session(secret, now, db) else { throw Self.wrong }
            return NewSession(secret: secret, session: session)
        }
    }

    /// The session of a cookie; nil if there is none or it has ended. Records the use at most once a minute.
    package func session(_ secret: String, at now: Moment) async throws(StoreError) -> Session? {
        guard secret.utf8.count == 43 else { return nil }
        let found = try await read { db in try self.session(secret, now, db) }
        guard let found, now.time.seconds(since: found.usedAt.time) > 60 else { return found }
        // A failure is ignored: if the disk is full, people must still be able to sign in and make room.
        try? await write { db in
            try db.execute(
                sql: "UPDATE session SET used_at = max(used_at, ?) WHERE hash = ?",
                arguments: [now.microseconds, Secret.hash(secret)])
        }
        return found
    }

    /// Ends a session, which signs its owner out.
    package func endSession(_ secret: String) async throws(StoreError) {
        try await write { db in
            try db.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [Secret.hash(secret)])
        }
    }

    // MARK: - Parts

    private static let wrong = StoreError(
        .denied, "the name or the password is wrong", remedy: "try again, or ask an administrator for a link")

    private static let selectSession = """
        SELECT a.*, s.csrf, s.created_at AS begun_at, s.used_at, s.address FROM session s \
        JOIN account a ON a.number = s.account
        """

    private func session(_ secret: String, _ now: Moment, _ db: Database) throws -> Session? {
        let statement = try db.cachedStatement(sql: "\(Self.selectSession) WHERE s.hash = ? AND a.is_enabled")
        return try Row.fetchOne(statement, arguments: [Secret.hash(secret)]).flatMap { try session($0, now) }
    }

    private func session(_ row: Row, _ now: Moment) throws -> Session? {
        let (begun, used) = (try row.moment("begun_at"), try row.moment("used_at"))
        let end = begun.advanced(bySeconds: limits.sessionSeconds)
        guard now < end, now < used.advanced(bySeconds: limits.sessionIdleSeconds) else { return nil }
        return Session(
            account: try Self.account(row), csrf: try row.text("csrf"), createdAt: begun, usedAt: used, expiresAt: end,
            address: try row.text("address"))
    }

    func endOldSessions(_ now: Moment, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM session WHERE used_at < ? OR created_at < ?",
            arguments: [
                now.advanced(bySeconds: -limits.sessionIdleSeconds).microseconds,
                now.advanced(bySeconds: -limits.sessionSeconds).microseconds,
            ])
    }

    /// An account that may sign in; `hash` is nil if it has no password yet.
    private struct KnownAccount: Sendable {
        var name: String
        var hash: String?
    }

    /// - Returns: the account's name as it is stored.
    @discardableResult
    func verify(
        _ name: String, _ password: String, _ address: String, _ now: Moment
    ) async throws(StoreError) -> String {
        try signInLimit.withLock { limit throws(StoreError) in
            if let seconds = limit.wait(account: name, address: address, at: now) {
                var error = StoreError(.tooOften, "too many attempts", remedy: "try again in \(seconds) seconds")
                error.retryAfter = seconds
                throw error
            }
            limit.begin(account: name, address: address, at: now)
        }
        let known = try await read { db -> KnownAccount? in
            guard let row = try Self.findAccount(name, db), try row.flag("is_enabled") else { return nil }
            return KnownAccount(name: try row.text("name"), hash: row.optionalText("password"))
        }
        let hash = known?.hash
        let cost = passwordCost
        let isRight = try await passwordWork.run {
            guard let stored = hash, password.utf8.count <= 4096 else {
                // Does the same work for an unknown name, so that the time does not show which names exist.
                _ = try PasswordHash("", cost)
                return false
            }
            return try PasswordHash(text: stored).matches(password)
        }
        guard isRight, let found = known?.name else { throw Self.wrong }
        signInLimit.withLock { $0.succeed(account: found, address: address) }
        return found
    }
}
