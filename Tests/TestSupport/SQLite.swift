/// Databases as other programs see them: through Python's sqlite3.
package enum SQLite {
    /// Runs statements on a file.
    package static func run(_ sql: String, in file: String) async throws {
        _ = try await python(
            """
            import sqlite3,sys
            c=sqlite3.connect(sys.argv[1], timeout=20)
            c.executescript(sys.stdin.read())
            c.commit()
            """, sql, file)
    }

    /// The number that a query of a file answers.
    package static func number(_ query: String, in file: String) async throws -> Int {
        let text = try await python(
            """
            import sqlite3,sys
            c=sqlite3.connect(sys.argv[1], timeout=20)
            print(c.execute(sys.stdin.read()).fetchone()[0])
            """, query, file)
        guard let number = Int(text.filter { !$0.isWhitespace }) else {
            throw RunningProgram.Failure(description: "\(query) answers \(text)")
        }
        return number
    }

    /// The text that makes a database with the same tables, and what GRDB notes of its migrations.
    package static func schema(of file: String) async throws -> String {
        try await python(
            """
            import sqlite3,sys
            c=sqlite3.connect(sys.argv[1])
            for (sql,) in c.execute("select sql from sqlite_master where sql is not null "
                                    "and name not like 'sqlite_%' order by rowid"):
                print(sql + ';')
            for (name,) in c.execute('select identifier from grdb_migrations order by rowid'):
                print("INSERT INTO grdb_migrations VALUES ('" + name + "');")
            """, "", file)
    }

    private static func python(_ program: String, _ input: String, _ file: String) async throws -> String {
        let end = try await RunningProgram.run("python3", ["-c", program, file], input: .text(input))
        guard end.status == 0 else { throw RunningProgram.Failure(description: "\(file): \(end.errors)") }
        return end.output
    }
}
