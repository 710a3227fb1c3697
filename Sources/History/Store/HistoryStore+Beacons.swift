package import Beacon
import GRDB
import Ranging
import Reports
import Settings
import Synchronization

/// Cache of the beacons' rows in the database, filled since it was opened.
struct BeaconRows {
    struct Row {
        var number: Int64
        /// The number of intervals in which it was present.
        var intervals: Int
        var standing: Standing
    }

    /// How a beacon is treated when there is too much data.
    enum Standing: Int {
        /// It was seen too rarely to be trusted.
        case passing = 0
        /// The same, but in a configured region.
        case passingInRegion = 1
        /// It has a name or a past.
        case kept = 2
    }

    private var rows: [BeaconID: Row] = [:]

    /// When the cache is larger it is emptied, and rows are read again.
    private static let most = 20_000

    subscript(id: BeaconID) -> Row? {
        get { rows[id] }
        set {
            if rows.count >= Self.most, rows[id] == nil { rows.removeAll() }
            rows[id] = newValue
        }
    }

    mutating func forget() { rows.removeAll() }
}

extension HistoryStore {
    /// The kept beacons, the most recently seen first.
    package func kept(atMost limit: Int = 10_000) throws(HistoryError) -> Set<BeaconID> {
        do {
            return try queue.read { db in
                let rows = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT id, uuid, major, minor FROM beacon WHERE standing = 2 ORDER BY last_start DESC LIMIT ?
                        """, arguments: [limit])
                var beacons: Set<BeaconID> = []
                while let row = try rows.next() {
                    if let beacon = Self.beacon(row) { beacons.insert(beacon) }
                }
                return beacons
            }
        } catch {
            throw HistoryError(error, file: settings.file)
        }
    }

    /// A beacon's row. A new beacon gets a new row.
    func row(of id: BeaconID, _ db: Database, _ names: [BeaconID: String]) throws -> BeaconRows.Row {
        if let known = beacons.withLock({ $0[id] }) { return known }
        let key: StatementArguments = [id.uuid.description, id.major, id.minor]
        let select = try db.cachedStatement(
            sql: "SELECT id, intervals, standing FROM beacon WHERE uuid = ? AND major = ? AND minor = ?")
        var row = BeaconRows.Row(number: 0, intervals: 0, standing: .passing)
        if let stored = try Row.fetchOne(select, arguments: key), let number = stored.integer(0) {
            row.number = number
            // A damaged file may have any number.
            row.intervals = Int(min(max(stored.integer(1) ?? 0, 0), Self.mostIntervals))
            row.standing = stored.integer(2).flatMap { .init(rawValue: Int(clamping: $0)) } ?? .passing
        } else {
            row.standing = standing(of: id, row, names)
            try db.cachedStatement(
                sql: """
                    INSERT INTO beacon (uuid, major, minor, name, last_start, intervals, standing) \
                    VALUES (?,?,?,?,0,0,?)
                    """
            ).execute(arguments: key + [names[id], row.standing.rawValue])
            row.number = db.lastInsertedRowID
        }
        beacons.withLock { $0[id] = row }
        return row
    }

    /// Records that a beacon was in an interval.
    ///
    /// - Parameter isNew: the beacon was not in this interval before.
    func note(
        _ id: BeaconID, in start: Int64, isNew: Bool, _ db: Database, _ names: [BeaconID: String]
    ) throws -> BeaconRows.Row {
        var row = try row(of: id, db, names)
        let before = row.standing
        if isNew { row.intervals += 1 }
        row.standing = standing(of: id, row, names)
        if row.standing == .kept, before != .kept { try keep(row.number, db) }
        try db.cachedStatement(
            sql: """
                UPDATE beacon SET last_start = max(last_start, ?), name = coalesce(?, name), intervals = ?, \
                standing = ? WHERE id = ?
                """
        ).execute(arguments: [start, names[id], row.intervals, row.standing.rawValue, row.number])
        beacons.withLock { $0[id] = row }
        return row
    }

    private func standing(of id: BeaconID, _ row: BeaconRows.Row, _ names: [BeaconID: String]) -> BeaconRows.Standing {
        if row.standing == .kept || row.intervals >= Self.pastIntervals || names[id] != nil { return .kept }
        return settings.regions.contains { $0.constraint.matches(id) } ? .passingInRegion : .passing
    }

    /// Changes a passing beacon to a kept one, and rolls up its intervals into hours and days.
    private func keep(_ beacon: Int64, _ db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "\(Self.selectIntervals) WHERE passing = 1 AND beacon = ? ORDER BY start", arguments: [beacon])
        guard !rows.isEmpty else { return }
        for row in rows {
            if let interval = Self.interval(row, { _ in Self.anyone }) { try rollUp(interval, of: beacon, db) }
        }
        try db.execute(sql: "UPDATE interval SET passing = 0 WHERE passing = 1 AND beacon = ?", arguments: [beacon])
    }

    /// More one-second intervals than a thousand years have.
    private static let mostIntervals: Int64 = 1 << 40

    /// A placeholder where the beacon's number is already known.
    static let anyone = BeaconID(uuid: ProximityUUID(0), major: 0, minor: 0)
}
