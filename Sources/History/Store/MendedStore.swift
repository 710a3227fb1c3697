/// A database's file, opened.
package protocol HistoryFile {
    /// Where a damaged database was moved when this one was opened; nil if there was none.
    var movedAside: String? { get }
    /// Blocks its thread while the disk works.
    func close()
}

/// Holds an open database. One that proves damaged is closed, and moved aside before it is opened the next time: also
/// if that is much later, because the disk was full.
package struct MendedStore<Store: HistoryFile> {
    private enum State {
        case closed
        case open(Store)
        case damaged
        /// A damaged one was moved aside, and another could not be opened yet.
        case missing
    }

    private let file: String
    private let open: () throws(HistoryError) -> Store
    private var state = State.closed
    private var moved: String?

    /// - Parameter open: opens the file, or creates it; moves it aside if that shows that it is damaged.
    package init(_ file: String, open: @escaping () throws(HistoryError) -> Store) {
        self.file = file
        self.open = open
    }

    /// Whether it was opened, and not closed since.
    package var isInUse: Bool {
        if case .closed = state { false } else { true }
    }

    /// Nil while it is closed, or damaged.
    package var store: Store? {
        if case .open(let store) = state { store } else { nil }
    }

    /// Works with the database, which is opened first if that is still to be done.
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
        case .open(let store): return store
        case .closed, .missing: break
        case .damaged:
            moved = HistoryDatabase.moveAside(file)
            state = .missing
        }
        let store = try open()
        moved = store.movedAside ?? moved
        state = .open(store)
        return store
    }

    package mutating func close() {
        store?.close()
        state = .closed
    }

    /// Where a damaged database is now; told once.
    package mutating func takeMoved() -> String? {
        defer { moved = nil }
        return moved
    }
}
