import Beacon
import Curation
import Foundation
import GRDB
import SiteFormat

/// Reads values of any type. A damaged file can contain anything, and GRDB's subscripts would trap.
extension Row {
    func integer(_ column: String) throws -> Int64 {
        guard let value = Int64.fromDatabaseValue(self[column] as DatabaseValue) else { throw bad(column) }
        return value
    }

    func optionalInteger(_ column: String) -> Int64? {
        Int64.fromDatabaseValue(self[column] as DatabaseValue)
    }

    func number(_ column: String) throws -> Double {
        guard let value = Double.fromDatabaseValue(self[column] as DatabaseValue) else { throw bad(column) }
        return value
    }

    func text(_ column: String) throws -> String {
        guard let value = String.fromDatabaseValue(self[column] as DatabaseValue) else { throw bad(column) }
        return value
    }

    func optionalText(_ column: String) -> String? {
        String.fromDatabaseValue(self[column] as DatabaseValue)
    }

    func bytes(_ column: String) throws -> [UInt8] {
        guard let value = optionalBytes(column) else { throw bad(column) }
        return value
    }

    func optionalBytes(_ column: String) -> [UInt8]? {
        Data.fromDatabaseValue(self[column] as DatabaseValue).map(Array.init)
    }

    func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

    func moment(_ column: String) throws -> Moment { Moment(microseconds: try integer(column)) }

    func optionalMoment(_ column: String) -> Moment? {
        optionalInteger(column).map(Moment.init(microseconds:))
    }

    func value<Value: RawRepresentable>(_ column: String, as type: Value.Type) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text(column)) else { throw bad(column) }
        return value
    }

    func id(_ column: String) throws -> DocumentID {
        guard let id = DocumentID(try text(column)) else { throw bad(column) }
        return id
    }

    func hash(_ column: String) throws -> AssetHash {
        guard let hash = AssetHash(try text(column)) else { throw bad(column) }
        return hash
    }

    private func bad(_ column: String) -> StoreError { .damaged("an unusable value of \(column)") }
}

extension Moment {
    init(microseconds: Int64) { self.init(Timestamp(microseconds: microseconds)) }

    /// The instant in the form of the database: microseconds since 1970.
    var microseconds: Int64 { time.microseconds }

    func advanced(bySeconds seconds: Double) -> Moment { Moment(time.advanced(bySeconds: seconds)) }
}
