import CSV
import HealthModel
import Readings

/// Samples as CSV, such as an export of Pulsegate or the output of `query --format csv`.
///
/// A row that is no valid sample is counted.
struct SampleTableFile: RecordFileReader {
    private let person: String
    private let check: RecordCheck
    private let types: QuantityTypes
    private let calendar: LocalCalendar
    private var table: SampleTable?
    /// The separator that the first line sets; nil without such a line.
    private var separator: CSVRow.Separator?
    private var headCount = 0
    private var rows = FileRows(hasQuotes: true)
    private var problems = RowProblems(noun: ("row", "rows"))

    /// The file is not a table of samples.
    struct Foreign: Error, CustomStringConvertible {
        let description =
            "the first row must name the columns type, start and value, and may name id, end, unit, "
            + "valueName, person, device, deviceName and source; separate them with commas, "
            + "semicolons or tabs"
    }

    /// Several columns have a name.
    struct RepeatedColumn: Error, CustomStringConvertible {
        let name: String

        var description: String {
            "several columns have the name \(name), so it is not clear which one counts; rename or remove "
                + "all but one"
        }
    }

    init(
        person: String, check: RecordCheck, types: QuantityTypes, calendar: LocalCalendar
    ) {
        self.person = person
        self.check = check
        self.types = types
        self.calendar = calendar
    }

    var omissions: [String] { problems.omissions }
    var problemCount: Int { problems.count }

    var place: FilePlace? {
        table.map { _ in
            FilePlace(headCount: headCount, offset: rows.offset, line: rows.lineCount)
        }
    }

    mutating func skip(to place: FilePlace) {
        rows = FileRows(hasQuotes: true, offset: place.offset, lineCount: place.line)
    }

    mutating func append(_ piece: [UInt8], isLast: Bool) { rows.append(piece, isLast: isLast) }

    mutating func records(limit: Int) throws -> [Record] {
        var records: [Record] = []
        while records.count < limit, let (row, line) = rows.next() {
            switch row {
            case .tooLong: problems.add("longer than \(FileRows.maximumLength) bytes", line: line)
            case .bytes(let bytes):
                if table == nil {
                    try readHeader(bytes)
                } else if !bytes.isEmpty, let record = record(of: bytes, line: line) {
                    records.append(record)
                }
            }
        }
        return records
    }

    mutating func takePending() -> [Record] { [] }

    private mutating func readHeader(_ row: [UInt8]) throws {
        if SampleColumns.isBlank(row) { return }
        if separator == nil, let set = SampleColumns.separator(line: row) {
            separator = set
            return
        }
        let found = SampleTable(
            header: row, separator: separator, person: person, types: types, calendar: calendar)
        guard let found else { throw Foreign() }
        if let name = found.columns.repeated { throw RepeatedColumn(name: name) }
        table = found
        headCount = rows.offset
    }

    private mutating func record(of row: [UInt8], line: Int) -> Record? {
        do throws(SampleTable.Problem) {
            guard let record = try table?.record(of: row) else { return nil }
            guard let problem = check.problem(withTextsOf: record) else { return record }
            problems.add(problem, line: line)
        } catch {
            problems.add(error.reason, line: line)
        }
        return nil
    }
}
