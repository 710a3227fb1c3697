import Beacon
import Captures
import HCI

/// What a reader delivered of one record.
struct Observed: Equatable {
    var time: Timestamp?
    var adapter: UInt16
    var offset: UInt64
    var line: Int
    var content: String
    var bytes: [UInt8]
}

/// What a reader delivered of a capture, and how it ended.
struct Outcome: Equatable {
    var format: String?
    var hasTimes: Bool?
    var records: [Observed] = []
    var scannerNames: [String] = []
    var error: CaptureError?

    var contents: [String] { records.map(\.content) }
    var times: [Int64?] { records.map { $0.time?.microseconds } }
}

func read(_ bytes: [UInt8]) throws -> Outcome {
    try withFile(bytes) { read(try CaptureReader(path: $0)) }
}

/// Reads, and takes an error of the file's head as an outcome too.
func attempt(_ open: () throws(CaptureError) -> CaptureReader) -> Outcome {
    do throws(CaptureError) {
        return read(try open())
    } catch {
        return Outcome(error: error)
    }
}

func read(_ source: consuming CaptureReader) -> Outcome {
    var reader = source
    var outcome = Outcome(format: reader.format.description, hasTimes: reader.hasTimes)
    do throws(CaptureError) {
        while try reader.next({ outcome.records.append(Observed($0, $1)) }) {}
    } catch {
        outcome.error = error
    }
    outcome.scannerNames = reader.scannerNames
    return outcome
}

extension Observed {
    init(_ record: borrowing CapturedRecord, _ span: RawSpan) {
        time = record.time
        adapter = record.adapter
        offset = record.offset
        line = record.line
        bytes = span.withUnsafeBytes { Array($0) }
        switch record.content {
        case .hci(let type, let isFromController):
            content = "hci \(type.rawValue) \(isFromController ? "<" : ">")"
        case .advertisement(let heard):
            content = """
                \(heard.isExtended ? "extended" : "legacy") \(heard.eventType) \
                \(heard.addressType.isRandom ? "random" : "public") \(heard.address?.description ?? "-") \
                \(heard.rssi.map(String.init) ?? "-")
                """
            bytes = Array(bytes[heard.data])
        case .sighting(let heard, let scannerName):
            let beacon = heard.beacon
            content = """
                \(scannerName.map(String.init) ?? "-") \(beacon.id) \(beacon.measuredPower) \
                \(heard.rssi.map(String.init) ?? "-") \(heard.address?.description ?? "-") \
                \(heard.addressType.isRandom ? "random" : "public") \(heard.eventType.map(String.init) ?? "-")
                """
        case .skipped(let reason):
            content = "skipped: \(reason)"
        }
    }
}
