import Glibc
import HealthModel
import Readings

/// Records as JSON, one a line: an export of Pulsegate, or the output of a sink.
///
/// A line that is no valid record is counted. A record without a person is assigned to one; a record
/// without an id gets one that is made from its line, so that the same line is stored once; so do the
/// samples of a correlation.
struct RecordLinesFile: RecordFileReader {
    /// A line of a workout, or of a sample of one, has one of these: the kind, the end of the key with which a
    /// sample names its workout, or the start of an escape, with which both can be spelled in another way.
    private static let marks = ["workout\"", "Workout\"", "\\"].map { Array($0.utf8) }

    private let person: String
    private let check: RecordCheck
    private let isOfWorkoutsOnly: Bool
    private var decoder: RecordDecoder
    private var rows = FileRows(hasQuotes: false)
    private var problems = RowProblems(noun: ("line", "lines"))

    /// - Parameter isOfWorkoutsOnly: Whether lines without a workout or a sample of one may be skipped.
    init(
        person: String, check: RecordCheck, types: QuantityTypes, isOfWorkoutsOnly: Bool = false
    ) {
        self.person = person
        self.check = check
        self.isOfWorkoutsOnly = isOfWorkoutsOnly
        decoder = RecordDecoder(types: types)
    }

    var omissions: [String] { problems.omissions }
    var problemCount: Int { problems.count }

    var place: FilePlace? {
        FilePlace(headCount: 0, offset: rows.offset, line: rows.lineCount)
    }

    mutating func skip(to place: FilePlace) {
        rows = FileRows(hasQuotes: false, offset: place.offset, lineCount: place.line)
    }

    mutating func append(_ piece: [UInt8], isLast: Bool) { rows.append(piece, isLast: isLast) }

    mutating func records(limit: Int) -> [Record] {
        var records: [Record] = []
        while records.count < limit, let (row, line) = rows.next() {
            switch row {
            case .tooLong: problems.add("longer than \(FileRows.maximumLength) bytes", line: line)
            case .bytes(let bytes):
                if let record = record(of: bytes, line: line) { records.append(record) }
            }
        }
        return records
    }

    mutating func takePending() -> [Record] { [] }

    private mutating func record(of bytes: [UInt8], line: Int) -> Record? {
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }),
            !isOfWorkoutsOnly || Self.marks.contains(where: bytes.contains(bytes:))
        else { return nil }
        do throws(RecordDecodingError) {
            let record = try bytes.withUnsafeBytes { Self.decode($0, with: &decoder) }.get()
                .filling(person: person)
            guard let problem = check.problem(withTextsOf: record) else { return record }
            problems.add(problem, line: line)
        } catch {
            problems.add(error.problem, line: line)
        }
        return nil
    }

    private static func decode(
        _ line: UnsafeRawBufferPointer, with decoder: inout RecordDecoder
    ) -> Result<Record, RecordDecodingError> {
        do throws(RecordDecodingError) {
            return .success(
                try decoder.decode(line) { start, number in
                    let text = String(decoding: line, as: UTF8.self)
                    return .make(start: start, device: "import", stream: text, key: number)
                })
        } catch {
            return .failure(error)
        }
    }
}

extension [UInt8] {
    /// Whether some bytes occur one after the other.
    package func contains(bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        return withUnsafeBytes { all in
            guard var start = all.baseAddress else { return false }
            let end = start + all.count
            while start + bytes.count <= end, let hit = memchr(start, Int32(first), end - start) {
                start = UnsafeRawPointer(hit)
                guard start + bytes.count <= end else { return false }
                if memcmp(start, bytes, bytes.count) == 0 { return true }
                start += 1
            }
            return false
        }
    }
}
