import CSV
import HealthModel

/// The columns of a table of samples, and the samples of its rows.
///
/// The columns `type`, `start` and `value` are required, in any order; `id`, `end`, `unit`,
/// `valueName`, `person`, `device`, `deviceName` and `source` are known; others are ignored.
struct SampleTable {
    let columns: SampleColumns
    private let person: String
    private let types: QuantityTypes
    private let calendar: LocalCalendar

    /// A row that is no sample, with the reason.
    struct Problem: Error, Equatable {
        let reason: String
    }

    /// Reads the names of the columns; nil when a required one is missing, or when the rows are parts of
    /// correlations.
    init?(
        header row: [UInt8], separator: CSVRow.Separator? = nil, person: String,
        types: QuantityTypes, calendar: LocalCalendar
    ) {
        guard let columns = SampleColumns(header: row, separator: separator),
            columns.has("value"), !columns.has("sampleType")
        else { return nil }
        self.columns = columns
        self.person = person
        self.types = types
        self.calendar = calendar
    }

    /// The sample of a row.
    func record(of row: [UInt8]) throws(Problem) -> Record {
        guard let fields = columns.fields(of: row) else {
            throw Problem(reason: "quotation marks or characters that are not valid")
        }
        guard !columns.hasSurplus(fields) else {
            throw Problem(reason: "more fields than columns")
        }
        let cells = Row(fields: fields)
        let origin = try cells.origin(person: person, calendar)
        if let type = types.named(cells["type"] ?? "") { return try sample(type, cells, origin) }
        guard let type = CategoryType.named(cells["type"] ?? "") else {
            throw Problem(reason: "unknown type")
        }
        return try category(type, cells, origin)
    }

    private func sample(
        _ type: QuantityType, _ cells: Row, _ origin: Origin
    ) throws(Problem) -> Record {
        guard let unit = try? cells["unit"].map({ try Unit(parsing: $0) }) ?? type.canonicalUnit
        else { throw Problem(reason: "unknown unit") }
        guard let value = cells.fields.number("value"),
            let quantity = try? Quantity(value, unit), type.canonicalUnit.isCompatible(with: unit)
        else { throw Problem(reason: "a value or a unit that does not fit its type") }
        do throws(SampleError) {
            return .sample(
                try QuantitySample(
                    id: origin.id(of: type.name, value: value), type: type, start: origin.start,
                    end: origin.end, quantity: quantity, person: origin.person,
                    device: origin.device, source: origin.source))
        } catch {
            throw Problem(reason: "\(error)")
        }
    }

    private func category(
        _ type: CategoryType, _ cells: Row, _ origin: Origin
    ) throws(Problem) -> Record {
        let text = cells["valueName"] ?? cells["value"]
        let value = type.values.first { $0.name == text || "\($0.number)" == text }
        guard let value else { throw Problem(reason: "unknown value of a category") }
        do throws(SampleError) {
            return .category(
                try CategorySample(
                    id: origin.id(of: type.name, value: Double(value.number)), type: type,
                    start: origin.start, end: origin.end, value: value.number,
                    person: origin.person, device: origin.device, source: origin.source))
        } catch {
            throw Problem(reason: "\(error)")
        }
    }
}

extension SampleTable {
    /// The times and the origin of a row.
    private struct Origin {
        let givenID: RecordID?
        let start: Instant
        let end: Instant
        let person: String
        let device: Device?
        let source: SourceRevision?

        /// The id of the row, or one that is made from its content, so that it is stored once.
        func id(of type: String, value: Double) -> RecordID {
            givenID
                ?? .make(
                    start: start,
                    device: "CSV\u{0}\(person)\u{0}\(source?.name ?? "")\u{0}\(device?.key ?? "")",
                    stream: "\(type)\u{0}\(end.nanosecondsSince1970)", key: value.bitPattern)
        }
    }

    /// The fields of a row.
    private struct Row {
        let fields: SampleColumns.Fields

        subscript(_ name: String) -> String? { fields[name] }

        func origin(
            person: String, _ calendar: LocalCalendar
        ) throws(Problem) -> Origin {
            guard let start = self["start"].flatMap({ Self.time($0, calendar) }) else {
                throw Problem(reason: "a start that is no ISO 8601 time with a time zone")
            }
            let end = self["end"].map { Self.time($0, calendar) } ?? start
            guard let end else {
                throw Problem(reason: "an end that is no ISO 8601 time with a time zone")
            }
            let id = self["id"].map { RecordID(uuidString: $0) }
            if case .some(nil) = id { throw Problem(reason: "an id that is no UUID") }
            return Origin(
                givenID: id ?? nil, start: start, end: end, person: self["person"] ?? person,
                device: device, source: self["source"].map { SourceRevision(name: $0) })
        }

        /// A time with a time zone, or the start of a date in the local time zone.
        private static func time(_ text: String, _ calendar: LocalCalendar) -> Instant? {
            guard let time = Instant(iso8601: text) else { return nil }
            return CalendarDate(iso8601: text).map(calendar.start) ?? time
        }

        private var device: Device? {
            let (name, address) = (self["deviceName"], self["device"])
            return name == nil && address == nil
                ? nil : Device(name: name, localIdentifier: address)
        }
    }
}

extension Device {
    /// What distinguishes devices in a table.
    fileprivate var key: String { localIdentifier ?? name ?? "" }
}
