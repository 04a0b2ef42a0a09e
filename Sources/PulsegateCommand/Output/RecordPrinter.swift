import GatewayCore
import HealthModel
import Terminal
import WorkoutScreens

/// Prints records of one type in a format.
struct RecordPrinter {
    /// The reader of the output has closed it; this is not reported.
    struct OutputClosed: Error {}

    /// Number of bytes written at a time.
    private static let blockSize = 1 << 16

    /// Number of records printed.
    private(set) var count = 0
    private let format: SampleFormat
    private let unit: Unit?
    private let row: RecordTableRow
    private let output: StandardStream
    private var buffer: [UInt8] = []

    /// Creates a printer for a record type; nil for device events.
    ///
    /// Samples are converted to the unit if given; otherwise a table shows each person's preferred unit.
    init(
        _ type: RecordType?, format: SampleFormat, unit: Unit? = nil, people: People = People(),
        output: StandardStream, width: TerminalWidth? = nil
    ) {
        row = RecordTableRow(
            type: type, format: QuantityFormat(unit: unit, people: people), width: width)
        self.format = format
        self.unit = unit
        self.output = output
    }

    /// Prints a record.
    mutating func print(_ record: Record) throws {
        let record = try unit.map { try record.converted(to: $0) } ?? record
        if count == 0 { append(header) }
        switch format {
        case .table: append(row.line(record))
        case .csv: append(RecordCSV.lines(record))
        case .json:
            append(count == 0 ? "\n" : ",\n")
            RecordEncoder.append(record, to: &buffer)
        case .ndjson:
            RecordEncoder.append(record, to: &buffer)
            append("\n")
        }
        count += 1
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Prints the end of the output and flushes it.
    mutating func finish() throws {
        if count == 0, format != .table { append(header) }
        if format == .json { append(count == 0 ? "]\n" : "\n]\n") }
        try flush()
    }

    private var header: String {
        switch format {
        case .table: row.header
        case .csv: RecordCSV.header(of: row.type)
        case .json: "["
        case .ndjson: ""
        }
    }

    private mutating func append(_ text: String) {
        buffer += text.utf8
    }

    private mutating func flush() throws {
        guard try output.writePart(buffer) else { throw OutputClosed() }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension Record {
    /// The same record in another unit; only quantity samples have a unit.
    fileprivate func converted(to unit: Unit) throws -> Record {
        guard case .sample(let sample) = self else { return self }
        return .sample(
            try QuantitySample(
                id: sample.id, type: sample.type, start: sample.start, end: sample.end,
                quantity: Quantity(sample.quantity.value(in: unit), unit), person: sample.person,
                device: sample.device, source: sample.source, metadata: sample.metadata))
    }
}
