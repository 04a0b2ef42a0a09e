import AppleHealth
import HealthModel
import XML

/// Decodes the records of a file, piece by piece.
protocol RecordFileReader {
    /// What was left out, one line for each reason.
    var omissions: [String] { get }

    /// The number of rows that are no records, each of which should be one.
    var problemCount: Int { get }

    /// The place behind the last record that was returned; nil when the rest cannot be read from there.
    var place: FilePlace? { get }

    /// Continues at a place, after the start of the file was read.
    mutating func skip(to place: FilePlace)

    /// Adds the next piece of the file, after ``records(limit:)`` has returned nothing.
    mutating func append(_ piece: [UInt8], isLast: Bool)

    /// Takes up to `limit` records from the bytes so far; none when they are used up.
    ///
    /// - Throws: when the rest of the file cannot be read.
    mutating func records(limit: Int) throws -> [Record]

    /// Takes the records that were read before an error.
    mutating func takePending() -> [Record]
}

/// The export of Apple Health.
struct AppleHealthFile: RecordFileReader {
    private var reader: AppleHealthReader

    init(_ reader: AppleHealthReader) { self.reader = reader }

    var omissions: [String] { reader.counts.omissions }
    /// Most elements of an export are of types that are not imported.
    var problemCount: Int { 0 }

    var place: FilePlace? {
        guard let headCount = reader.headCount, let place = reader.place else { return nil }
        return FilePlace(headCount: headCount, offset: place.offset, line: place.line)
    }

    mutating func skip(to place: FilePlace) {
        reader.skip(to: XMLPlace(offset: place.offset, line: place.line))
    }

    mutating func append(_ piece: [UInt8], isLast: Bool) { reader.append(piece, isLast: isLast) }

    mutating func records(limit: Int) throws -> [Record] { try reader.records(limit: limit) }

    mutating func takePending() -> [Record] { reader.takePending() }
}
