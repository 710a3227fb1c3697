package import Curation
import GRDB

extension CurationStore {
    /// All accounts, sorted by name.
    package func accounts() async throws(StoreError) -> [Account] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM account ORDER BY name").map(Self.account)
        }
    }

    /// - Throws: `notFound`.
    package func account(_ name: String) async throws(StoreError) -> Account {
        try await read { db in try Self.account(Self.accountRow(name, db)) }
    }

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - password: nil if the owner chooses one later, with a one-time link.
    ///   - author: whose rights are checked; only the command line does without.
    /// - Throws: `taken`, `invalid` (field `name` or `password`), `limit`; `denied` if the author may not do this any
    ///   more.
    @discardableResult
    package func createAccount(
        _ name: String, role: Account.Role, password: String?, language: String? = nil, by author: Author = .program,
        at now: Moment
    ) async throws(StoreError) -> Account {
        let name = AccountName.stored(name)
        try Self.checkName(name)
        let hash = try await passwordHash(password)
        return try await write { db in
            try Self.checkRights(of: author, db)
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM account") ?? 0
            guard count < self.limits.accounts else {
                throw StoreError(.limit, "there are \(count) accounts, which is the maximum", remedy: "remove some")
            }
            try Self.checkIsFree(name, db)
            try db.execute(
                sql: "INSERT INTO account (name, role, password, language, created_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [name, role.rawValue, hash, language, now.microseconds])
            return try Self.account(Self.accountRow(name, db))
        }
    }

    /// Sets a new password and ends all sessions of the account.
    package func setPassword(_ password: String, of name: String) async throws(StoreError) {
        let hash = try await passwordHash(password)
        try await write { db in
            let number = try Self.accountRow(name, db).integer("number")
            try db.execute(sql: "UPDATE account SET password = ? WHERE number = ?", arguments: [hash, number])
            try db.execute(sql: "DELETE FROM session WHERE account = ?", arguments: [number])
            try db.execute(sql: "DELETE FROM link WHERE account = ?", arguments: [number])
        }
    }

    /// Changes the role or the language of an account, or whether it may sign in. Disabling it ends its sessions.
    /// Whoever is no administrator any more loses the tokens with the scope `admin` that this account has made.
    ///
    /// - Parameter author: whose rights are checked; only the command line, and a change of the own language, do
    ///   without.
    /// - Returns: how many tokens were revoked.
    /// - Throws: `notFound`; `denied` if no administrator would be left, or if the author may not do this any more.
    @discardableResult
    package func updateAccount(
        _ name: String, role: Account.Role? = nil, language: String?? = nil, isEnabled: Bool? = nil,
        by author: Author = .program
    ) async throws(StoreError) -> Int {
        try await write { db in
            try Self.checkRights(of: author, db)
            let row = try Self.accountRow(name, db)
            let number = try row.integer("number")
            if let role {
                try db.execute(
                    sql: "UPDATE account SET role = ? WHERE number = ?", arguments: [role.rawValue, number])
            }
            if let language {
                try db.execute(sql: "UPDATE account SET language = ? WHERE number = ?", arguments: [language, number])
            }
            if let isEnabled {
                try db.execute(
                    sql: "UPDATE account SET is_enabled = ? WHERE number = ?", arguments: [isEnabled, number])
                if !isEnabled {
                    try db.execute(sql: "DELETE FROM session WHERE account = ?", arguments: [number])
                    try db.execute(sql: "DELETE FROM link WHERE account = ?", arguments: [number])
                }
            }
            let losesPowers = isEnabled == false || role.map({ $0 < .administrator }) == true
            let revoked = losesPowers ? try Self.endPowers(of: Author(row.text("name")), db) : 0
            try Self.checkAdministrator(before: Self.account(row), db)
            return revoked
        }
    }

    /// Removes an account with its sessions, its links, and the tokens with the scope `admin` that it has made. Its
    /// name is kept in the history.
    ///
    /// - Parameter author: whose rights are checked; only the command line does without.
    /// - Returns: how many tokens were revoked.
    /// - Throws: `notFound`; `denied` if no administrator would be left, or if the author may not do this any more.
    @discardableResult
    package func removeAccount(_ name: String, by author: Author = .program) async throws(StoreError) -> Int {
        try await write { db in
            try Self.checkRights(of: author, db)
            let row = try Self.accountRow(name, db)
            try db.execute(sql: "DELETE FROM account WHERE number = ?", arguments: [try row.integer("number")])
            let revoked = try Self.endPowers(of: Author(row.text("name")), db)
            try Self.checkAdministrator(before: Self.account(row), db)
            return revoked
        }
    }

    /// Checks the password of a signed-in person again, for changes that require it.
    package func checkPassword(
        _ password: String, of name: String, address: String, at now: Moment
    ) async throws(StoreError) {
        try await verify(name, password, address, now)
    }

    // MARK: - Parts

    static func accountRow(_ name: String, _ db: Database) throws -> Row {
        guard let row = try findAccount(name, db) else {
            throw StoreError(.notFound, "there is no account \(name)", remedy: "list the accounts")
        }
        return row
    }

    /// The account that a name means, however it is written. It takes as long for names that do not exist.
    static func findAccount(_ name: String, _ db: Database) throws -> Row? {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM account")
        let names = rows.map { $0.optionalText("name") ?? "" }
        return AccountName.index(of: name, in: names).map { rows[$0] }
    }

    /// - Throws: `taken` if people would take the name for that of another account.
    static func checkIsFree(_ name: String, _ db: Database) throws {
        let key = AccountName.key(name)
        for row in try Row.fetchAll(db, sql: "SELECT name FROM account") {
            let other = try row.text("name")
            guard AccountName.key(other) != key else {
                throw StoreError(.taken, "an account \(other) exists", remedy: "choose another name", field: "name")
            }
        }
    }

    static func account(_ row: Row) throws -> Account {
        Account(
            name: try row.text("name"), role: try row.value("role", as: Account.Role.self),
            language: row.optionalText("language"), createdAt: try row.moment("created_at"),
            signedInAt: row.optionalMoment("signed_in_at"), isEnabled: try row.flag("is_enabled"),
            hasPassword: row.optionalText("password") != nil)
    }

    /// Checks that an administrator is left. It throws after the change, which is then rolled back.
    private static func checkAdministrator(before: Account, _ db: Database) throws {
        guard before.role == .administrator, before.isEnabled else { return }
        let rest = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM account WHERE role = 'administrator' AND is_enabled")
        guard (rest ?? 0) > 0 else {
            throw StoreError(
                .denied, "\(before.name) is the last administrator", remedy: "make somebody else administrator first")
        }
    }

    /// Checks the name of a new account or token.
    ///
    /// - Throws: `invalid`; `taken` if people would take it for the server itself.
    static func checkName(_ name: String) throws(StoreError) {
        let isPlain = name.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        let key = AccountName.key(name)
        guard (1...60).contains(name.count), name.utf8.count <= 240, isPlain, !key.isEmpty,
            name.first?.isWhitespace == false, name.last?.isWhitespace == false
        else {
            throw StoreError(
                .invalid, "an account's name has 1 to 60 visible characters", remedy: "choose another name",
                field: "name")
        }
        if let author = Author.reserved.first(where: { AccountName.key($0.name) == key }) {
            throw StoreError(
                .taken, "the server itself uses the name \(author.name)", remedy: "choose another name",
                field: "name")
        }
    }

    func passwordHash(_ password: String?) async throws(StoreError) -> String? {
        guard let password else { return nil }
        let length = limits.passwordLength
        guard length.contains(password.count), password.utf8.count <= 4 * length.upperBound else {
            throw StoreError(
                .invalid, "a password has \(length.lowerBound) to \(length.upperBound) characters",
                remedy: "choose another one; a few words are good", field: "password")
        }
        let cost = passwordCost
        return try await passwordWork.run { try PasswordHash(password, cost).text }
    }
}
