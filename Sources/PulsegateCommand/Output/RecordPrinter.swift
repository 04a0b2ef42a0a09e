import GatewayCore
import HealthModel
import Terminal
import WorkoutScreens

/// Prints records of one type one by one, in a format.
struct RecordPrinter {
    /// Nobody reads the output any more; there is no need to say so.
    struct ReaderLeft: Error {}

    /// So many bytes are written at once.
    private static let blockSize = 1 << 16

    /// How many records there were.
    private(set) var count = 0
    private let format: SampleFormat
    private let unit: Unit?
    private let row: RecordTableRow
    private let output: StandardStream
    private var buffer: [UInt8] = []

    /// Makes a printer of the records of a type; nil is that of device events.
    ///
    /// Samples are converted to the unit when there is one, else a table has the unit that the person of a
    /// sample prefers.
    init(
        _ type: RecordType?, format: SampleFormat, unit: Unit? = nil, people: People = People(),
        output: StandardStream
    ) {
        row = RecordTableRow(type: type, format: QuantityFormat(unit: unit, people: people))
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

    /// Prints what belongs at the end.
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
        guard try output.writePart(buffer) else { throw ReaderLeft() }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension Record {
    /// The same record in another unit; only a sample of a quantity has one.
    fileprivate func converted(to unit: Unit) throws -> Record {
        guard case .sample(let sample) = self else { return self }
        return .sample(
            try QuantitySample(
                id: sample.id, type: sample.type, start: sample.start, end: sample.end,
                quantity: Quantity(sample.quantity.value(in: unit), unit), person: sample.person,
                device: sample.device, source: sample.source, metadata: sample.metadata))
    }
}
