import Foundation
import History
import TestSupport
import Testing

/// A file that says which opening made it.
private struct Note: HistoryFile {
    let text: String
    var movedAside: String? { nil }

    func close() {}
}

@Suite("A database that proves damaged") struct MendedStoreTests {
    private let folder: TemporaryFolder
    private let file: String
    private let damage = HistoryError(.damaged, "damaged")
    private let full = HistoryError(.full, "the disk is full")

    init() throws {
        folder = try TemporaryFolder()
        file = "\(folder)/notes"
    }

    /// Opens the file as often as there are texts; nil for an attempt that fails.
    private func store(_ texts: [String?]) -> MendedStore<Note> {
        var left = texts[...]
        return MendedStore(file) { [file, full] () throws(HistoryError) in
            guard let text = left.popFirst() ?? nil else { throw full }
            try? text.write(toFile: file, atomically: false, encoding: .utf8)
            return Note(text: text)
        }
    }

    private func text(_ suffix: String = "") -> String? { try? String(contentsOfFile: file + suffix, encoding: .utf8) }

    @Test("is moved aside, and another one is opened when it is used next")
    func moved() throws {
        var store = store(["first", "second"])
        #expect(!store.isInUse)
        #expect(throws: damage) { try store.use { _ throws(HistoryError) in throw damage } }
        #expect(store.isInUse && store.store == nil)
        #expect(try store.use { $0.text } == "second")
        #expect(text(".damaged") == "first")
        #expect(store.takeMoved() == file + ".damaged")
        #expect(store.takeMoved() == nil)
    }

    @Test("is kept, and told of, also where the next one can be opened only later")
    func later() throws {
        var store = store(["first", nil, nil, "second"])
        #expect(throws: damage) { try store.use { _ throws(HistoryError) in throw damage } }
        for _ in 0..<2 {
            #expect(throws: full) { try store.use { $0.text } }
            #expect(store.isInUse && store.store == nil)
        }
        #expect(try store.use { $0.text } == "second")
        #expect(text(".damaged") == "first" && text() == "second")
        #expect(store.takeMoved() == file + ".damaged")
    }

    @Test("another failure leaves it open")
    func others() throws {
        var store = store(["first"])
        #expect(throws: full) { try store.use { _ throws(HistoryError) in throw full } }
        #expect(try store.use { $0.text } == "first")
        store.close()
        #expect(!store.isInUse)
    }

    @Test("a file that was removed or replaced while it is open is a failure until it is back")
    func removed() throws {
        var store = store(["first"])
        #expect(try store.use { $0.text } == "first")
        #expect(rename(file, file + ".away") == 0)
        let error = #expect(throws: HistoryError.self) { try store.use { $0.text } }
        #expect(error?.code == .unusable && error?.place == file)
        try "other".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(throws: HistoryError.self) { try store.use { $0.text } }
        #expect(rename(file + ".away", file) == 0)
        #expect(try store.use { $0.text } == "first")
        #expect(store.takeMoved() == nil)
    }
}
