import Platform

/// An open database file.
package protocol HistoryFile {
    /// Where a damaged database was moved when this one was opened; nil if there was none.
    var movedAside: String? { get }
    /// Blocks its thread while the disk works.
    func close()
}

/// Holds an open database. A database that proves damaged is closed, and moved aside before it is next opened. That
/// may be much later, for example because the disk was full. One whose file was removed or replaced is used no more
/// until the file is back: SQLite would go on writing into the file that has no name.
package struct MendedStore<Store: HistoryFile> {
    private enum State {
        case closed
        case open(Store)
        case damaged
        /// A damaged database was moved aside, and a new one could not be opened yet.
        case missing
    }

    private let file: String
    private let open: () throws(HistoryError) -> Store
    private var state = State.closed
    /// The file that was opened.
    private var number: FileNumber?
    private var moved: String?

    /// - Parameter open: opens the file or creates it, and moves it aside if it turns out to be damaged.
    package init(_ file: String, open: @escaping () throws(HistoryError) -> Store) {
        self.file = file
        self.open = open
    }

    /// Whether the database was opened, and not closed since.
    package var isInUse: Bool {
        if case .closed = state { false } else { true }
    }

    /// Nil while the database is closed or damaged.
    package var store: Store? {
        if case .open(let store) = state { store } else { nil }
    }

    /// Works with the database. Opens it first if necessary.
    package mutating func use<Result>(
        _ work: (Store) throws(HistoryError) -> Result
    ) throws(HistoryError) -> Result {
        let store = try opened()
        do throws(HistoryError) {
            return try work(store)
        } catch {
            if error.code == .damaged {
                store.close()
                state = .damaged
            }
            throw error
        }
    }

    private mutating func opened() throws(HistoryError) -> Store {
        switch state {
        case .open(let store):
            guard number == nil || FileNumber(of: file) == number else {
                throw HistoryError(
                    .unusable, at: file, "it was removed or replaced while it was in use",
                    remedy: "put it back, or restart the program")
            }
            return store
        case .closed, .missing: break
        case .damaged:
            moved = HistoryDatabase.moveAside(file)
            state = .missing
        }
        let store = try open()
        moved = store.movedAside ?? moved
        state = .open(store)
        number = FileNumber(of: file)
        return store
    }

    package mutating func close() {
        store?.close()
        state = .closed
    }

    /// The new path of a damaged database; returned only once.
    package mutating func takeMoved() -> String? {
        defer { moved = nil }
        return moved
    }
}
