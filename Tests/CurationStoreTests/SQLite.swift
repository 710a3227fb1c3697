import Foundation
import TestSupport
import Testing

/// Databases as other programs see them.
enum SQLite {
    /// Runs statements on a file.
    static func run(_ sql: String, in file: String) throws {
        _ = try python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.stdin.read()); c.commit()", sql,
            file)
    }

    /// The text that makes a database with the same tables, and what GRDB notes of its migrations.
    static func schema(of file: String) throws -> String {
        try python(
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

    private static func python(_ program: String, _ input: String, _ file: String) throws -> String {
        let folder = try TemporaryFolder()
        try input.write(toFile: folder.path("input"), atomically: true, encoding: .utf8)
        let output = folder.path("output")
        try "".write(toFile: output, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program, file]
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("input")))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try folder.text("output")
    }
}
