package import ArgumentValues
package import GatewayCore
package import HealthModel
package import Terminal
import WorkoutScreens

/// Prints records of one type in a format.
package struct RecordPrinter {
    /// The reader of the output has closed it; this is not reported.
    package struct OutputClosed: Error {}

    /// Writes a part of the output; returns false when the reader has closed it.
    package typealias Write = ([UInt8]) throws -> Bool

    /// Number of bytes written at a time.
    private static let blockSize = 1 << 16

    /// Number of rows of a table that are aligned and written at a time.
    static let rowsAtOnce = 1_000

    /// Number of records printed.
    package private(set) var count = 0
    private let format: OutputFormat
    private let unit: Unit?
    private var table: RecordTable
    private let csv: RecordCSV
    private let write: Write
    private var buffer: [UInt8] = []

    /// Creates a printer for a record type; nil for device events.
    ///
    /// Samples are converted to the unit if given; otherwise a table shows each person's preferred unit.
    /// Columns are names of the format, and only of a table or CSV; nil for the standard ones.
    package init(
        _ type: RecordType?, format: OutputFormat, unit: Unit? = nil, columns: [String]? = nil,
        people: People = People(), width: TerminalWidth? = nil, write: @escaping Write
    ) {
        table = RecordTable(
            type, columns: columns?.compactMap(TableColumn.init(rawValue:)),
            format: QuantityFormat(unit: unit, people: people), width: width)
        csv = RecordCSV(type, columns: columns)
        self.format = format
        self.unit = unit
        self.write = write
    }

    /// The names of the columns of a format; empty for JSON, whose objects are whole records.
    package static func columns(of type: RecordType?, in format: OutputFormat) -> [String] {
        switch format {
        case .table: TableColumn.all(of: type).map(\.rawValue)
        case .csv: RecordCSV.names(of: type)
        case .json, .ndjson: []
        }
    }

    /// Prints a page of records.
    package mutating func print(_ page: [Record]) throws {
        let records = unit.map { unit in page.map { $0.converted(to: unit) } } ?? page
        guard format != .table else {
            for first in stride(from: 0, to: records.count, by: Self.rowsAtOnce) {
                let rows = records[first...].prefix(Self.rowsAtOnce)
                append(table.text(of: Array(rows)))
                count += rows.count
                try flush()
            }
            return
        }
        for record in records { try print(record) }
    }

    private mutating func print(_ record: Record) throws {
        if count == 0 { append(header) }
        switch format {
        case .csv: append(csv.lines(record))
        case .json:
            append(count == 0 ? "\n" : ",\n")
            RecordEncoder.append(record, to: &buffer)
        case .table, .ndjson:
            RecordEncoder.append(record, to: &buffer)
            append("\n")
        }
        count += 1
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Prints the end of the output and flushes it.
    package mutating func finish() throws {
        if count == 0 { append(header) }
        if format == .json { append(count == 0 ? "]\n" : "\n]\n") }
        try flush()
    }

    /// The text before the first record; a table has its own.
    private var header: String {
        switch format {
        case .csv: csv.header
        case .json: "["
        case .table, .ndjson: ""
        }
    }

    private mutating func append(_ text: String) {
        buffer += text.utf8
    }

    private mutating func flush() throws {
        guard try write(buffer) else { throw OutputClosed() }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension Record {
    /// The same record in another unit; only quantity samples have a unit.
    ///
    /// A value that is no number in the unit stays in its own.
    fileprivate func converted(to unit: Unit) -> Record {
        guard case .sample(let sample) = self, let quantity = sample.quantity.converted(to: unit),
            let converted = try? QuantitySample(
                id: sample.id, type: sample.type, start: sample.start, end: sample.end,
                quantity: quantity, person: sample.person, device: sample.device,
                source: sample.source, metadata: sample.metadata)
        else { return self }
        return .sample(converted)
    }
}
