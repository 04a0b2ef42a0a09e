import AppleHealth
import HealthModel
import RecordTables

/// A format of exports.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// The `export.xml` of Apple Health.
    case apple
    /// Records as JSON, one a line: everything, without a loss.
    case ndjson
    /// Quantity samples as comma-separated values.
    case csv

    /// The format of a file name; nil when its extension is that of no format.
    package init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        switch name.split(separator: ".").last?.lowercased() {
        case "xml": self = .apple
        case "ndjson", "jsonl": self = .ndjson
        case "csv": self = .csv
        default: return nil
        }
    }
}

/// Encodes the records of an export, piece by piece.
protocol RecordFileWriter {
    /// The number of records that were written.
    var count: Int { get }

    /// What was left out, one line for each reason.
    var omissions: [String] { get }

    /// Adds a record; one that the format cannot represent is counted.
    mutating func add(_ record: Record)

    /// Ends the export.
    mutating func finish()

    /// Takes the bytes that were written since the last call.
    mutating func takeBytes() -> [UInt8]
}

extension AppleHealthWriter: RecordFileWriter {
    var count: Int { counts.recordCount }

    var omissions: [String] { counts.omissions }
}

/// Writes records as JSON, one a line.
struct RecordLinesWriter: RecordFileWriter {
    private(set) var count = 0
    private var encoder = RecordLineEncoder()
    private var bytes: [UInt8] = []

    var omissions: [String] { [] }

    mutating func add(_ record: Record) {
        encoder.append(record, to: &bytes)
        count += 1
    }

    mutating func finish() {}

    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}

/// Writes quantity samples as CSV, with the names of the columns in the first row.
struct SampleTableWriter: RecordFileWriter {
    private(set) var count = 0
    private var otherCount = 0
    private let rows: RecordCSV
    private var bytes: [UInt8]

    /// Makes a table of the samples of any quantity type.
    init() {
        rows = RecordCSV(.quantity(.heartRate))
        bytes = Array(rows.header.utf8)
    }

    var omissions: [String] {
        guard otherCount > 0 else { return [] }
        let verb = otherCount == 1 ? "is no quantity" : "are no quantities"
        return [
            "left out: \(DeletionText.records(otherCount)) that \(verb); ndjson has all records"
        ]
    }

    mutating func add(_ record: Record) {
        guard case .sample = record else {
            otherCount += 1
            return
        }
        bytes += rows.lines(record).utf8
        count += 1
    }

    mutating func finish() {}

    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
