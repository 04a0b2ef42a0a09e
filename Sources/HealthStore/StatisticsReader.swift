import HealthModel
import HealthStatistics
import SQLite

/// What statistics need of a stored sample.
struct StatisticsRow: Sendable {
    /// The number of the row.
    let number: Int64
    let span: Range<Instant>
    /// In the canonical unit.
    let value: Double
    let origin: OriginKey
}

/// The origin of a row, by the numbers of the rows that it refers to.
struct OriginKey: Hashable, Sendable {
    /// 0 without a device.
    var device: Int64 = 0
    /// 0 with a device, or without a source.
    var source: Int64 = 0
    var isEntered = false
}

/// Reads of samples only what statistics need, which takes a fraction of the time.
struct StatisticsReader {
    /// The number of rows that are read without giving others a turn: some milliseconds.
    static let pageSize = 16_384

    private let connection: SQLiteConnection
    private let lookup: RowLookup
    private let type: QuantityType
    private let whole: SampleReader

    init(_ connection: SQLiteConnection, _ lookup: RowLookup, _ type: QuantityType) {
        self.connection = connection
        self.lookup = lookup
        self.type = type
        whole = SampleReader(connection, lookup)
    }

    /// Returns the rows after a position, oldest first.
    func page(
        of query: SampleQuery, after position: SamplePosition?
    ) throws -> StorePage<StatisticsRow> {
        var page = StorePage<StatisticsRow>()
        guard
            let conditions = try SampleConditions(
                query.selecting(RecordType?.some(.quantity(type))), after: position, lookup)
        else { return page }
        page.items.reserveCapacity(Self.pageSize)
        var units = CanonicalUnits(type, lookup)
        var metadata = MetadataText()
        page.last = try Self.table.forEachRow(
            matching: conditions, order: .oldestFirst, limit: Self.pageSize, on: connection
        ) { row in
            page.items.append(try statisticsRow(of: row, &units, &metadata))
        }
        return page
    }

    private static let table = RecordTable(
        name: "sample",
        columns: "sequence, end_ns, start_ns, value, unit, device, source, metadata")

    private func statisticsRow(
        of row: SQLiteStatement, _ units: inout CanonicalUnits, _ metadata: inout MetadataText
    ) throws -> StatisticsRow {
        let (number, end, start) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
        var origin = OriginKey()
        guard start < end || start == end && !type.isCumulative,
            let value = units.value(row.real(at: 3), in: row.integer(at: 4)), value.isFinite,
            let isEntered = metadata.isEntered(row.text(at: 7))
        else { throw problem(of: number) }
        origin.isEntered = isEntered
        origin.device = row.integer(at: 5)
        if origin.device == 0 { origin.source = row.integer(at: 6) }
        return StatisticsRow(
            number: number,
            span: Instant(nanosecondsSince1970: start)..<Instant(nanosecondsSince1970: end),
            value: value, origin: origin)
    }

    /// Returns the error of a row that is no sample of the type.
    private func problem(of number: Int64) -> any Error {
        do {
            _ = try sample(number)
        } catch {
            return error
        }
        return HealthStoreError.unreadable(
            table: "sample", row: number, column: "value", path: connection.path)
    }

    /// Returns the sample of a row; nil when it was removed.
    func sample(_ number: Int64) throws -> QuantitySample? {
        let find = try connection.prepare(
            "SELECT \(SampleReader.columns) FROM sample WHERE sequence = ?")
        try find.bind(integer: number, at: 1)
        guard try find.step() else { return nil }
        var metadata = MetadataText()
        return try whole.sample(of: find, type: type, metadata: &metadata)
    }

    /// Returns the origin that a key stands for.
    func origin(_ key: OriginKey) throws -> SampleOrigin {
        SampleOrigin(
            device: key.device == 0 ? nil : try lookup.devices.value(of: key.device),
            source: key.source == 0 ? nil : try lookup.sources.value(of: key.source).name,
            isEntered: key.isEntered)
    }
}

/// Converts values to the canonical unit of a type; most are in it.
private struct CanonicalUnits {
    private let type: QuantityType
    private let lookup: RowLookup
    /// The row of the unit of the last value, and the unit when it is another one.
    private var last: (row: Int64, unit: Unit?)?

    init(_ type: QuantityType, _ lookup: RowLookup) {
        self.type = type
        self.lookup = lookup
    }

    /// Returns a value in the canonical unit; nil when that cannot be.
    mutating func value(_ value: Double, in row: Int64) -> Double? {
        if last?.row != row {
            guard let unit = try? lookup.units.value(of: row),
                unit.isCompatible(with: type.canonicalUnit)
            else { return nil }
            last = (row, unit == type.canonicalUnit ? nil : unit)
        }
        guard let unit = last?.unit else { return value }
        return try? unit.convert(value, to: type.canonicalUnit)
    }
}

extension MetadataText {
    /// Whether the metadata of a column says that the sample was entered; nil when it is not valid.
    fileprivate mutating func isEntered(_ column: String?) -> Bool? {
        guard let column else { return false }
        return metadata(of: column).map { $0[.wasUserEntered] == true }
    }
}
