import HealthModel
import SQLite

/// Reads the values that samples and events refer to: devices, sources, people and units.
final class RowLookup {
    let devices: RowValues<Device>
    let sources: RowValues<SourceRevision>
    let people: RowValues<String>
    let units: RowValues<Unit>
    private let findDevices: SQLiteStatement
    private let personRows: PersonRows
    private let findType: SQLiteStatement
    private let findSources: SQLiteStatement

    init(_ connection: SQLiteConnection) throws {
        devices = try RowValues(
            of: "device", columns: DeviceColumns.names, on: connection,
            decode: DeviceColumns.device)
        sources = try RowValues(of: "source", columns: ["name", "version"], on: connection) {
            row in row.text(at: 0).map { SourceRevision(name: $0, version: row.text(at: 1)) }
        }
        people = try RowValues(of: "person", columns: ["name"], on: connection) {
            $0.text(at: 0)
        }
        units = try RowValues(of: "unit", columns: ["name"], on: connection) {
            $0.text(at: 0).flatMap { try? Unit(parsing: $0) }
        }
        findDevices = try connection.prepare(
            "SELECT local_identifier, name, serial, id FROM device")
        personRows = try PersonRows(connection)
        findSources = try connection.prepare("SELECT id FROM source WHERE name = ?")
        findType = try connection.prepare("SELECT id, longest_ns FROM type WHERE name = ?")
    }

    /// The row of a type and the duration of its longest sample; nil when it has no samples.
    func type(named name: String) throws -> (row: Int64, maximumNanoseconds: Int64)? {
        defer { findType.reset() }
        try findType.bind(text: name, at: 1)
        guard try findType.step() else { return nil }
        return (findType.integer(at: 0), findType.integer(at: 1))
    }

    /// The row of a person; nil when the person has no records.
    func person(named name: String) throws -> Int64? {
        try personRows.row(of: name)
    }

    /// The rows of the versions of a source.
    func sources(named name: String) throws -> [Int64] {
        var rows: [Int64] = []
        try findSources.bind(text: name, at: 1)
        try findSources.forEachRow { rows.append($0.integer(at: 0)) }
        return rows
    }

    /// The rows of the devices with this address, name or serial number, ignoring case.
    func devices(matching name: String) throws -> [Int64] {
        let wanted = name.lowercased()
        var rows: [Int64] = []
        try findDevices.forEachRow { row in
            if (0..<3).contains(where: { row.text(at: $0)?.lowercased() == wanted }) {
                rows.append(row.integer(at: 3))
            }
        }
        return rows
    }
}
