import GatewayCore
import HealthModel
import Terminal

/// Prints samples one by one, in a format.
struct SampleWriter {
    /// Nobody reads the output any more; there is no need to say so.
    struct ReaderLeft: Error {}

    /// So many bytes are written at once.
    private static let blockSize = 1 << 16

    /// How many samples there were.
    private(set) var count = 0
    private let format: SampleFormat
    private let unit: Unit?
    private let row: TableRow
    private let output: StandardStream
    private var buffer: [UInt8] = []

    /// Makes a writer; samples are converted to the unit when there is one, else a table has the unit that
    /// the person of a sample prefers.
    init(format: SampleFormat, unit: Unit?, people: People = People(), output: StandardStream) {
        row = TableRow(format: QuantityFormat(unit: unit, people: people))
        self.format = format
        self.unit = unit
        self.output = output
    }

    /// Prints a sample.
    mutating func write(_ sample: QuantitySample) throws {
        let sample = try unit.map { try sample.converted(to: $0) } ?? sample
        if count == 0 { append(header) }
        switch format {
        case .table: append(row.line(sample))
        case .csv: append(CSVRow.line(sample))
        case .json:
            append(count == 0 ? "\n" : ",\n")
            RecordEncoder.append(.sample(sample), to: &buffer)
        case .ndjson:
            RecordEncoder.append(.sample(sample), to: &buffer)
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
        case .table: TableRow.header
        case .csv: CSVRow.header
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

extension QuantitySample {
    /// The same sample in another unit.
    fileprivate func converted(to unit: Unit) throws -> QuantitySample {
        try QuantitySample(
            id: id, type: type, start: start, end: end,
            quantity: Quantity(quantity.value(in: unit), unit), person: person, device: device,
            source: source, metadata: metadata)
    }
}
