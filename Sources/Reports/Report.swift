package import ArgumentValues
import CSV
package import JSON

/// The result of a command for programs: rows, as CSV and as JSON.
///
/// A table for people is made by the command, because it is shorter and in local time.
package struct Report {
    /// The columns of CSV: the keys of the rows; `access.group` is a key of an object in a row.
    private let columns: [String]
    /// The rows, a JSON object each.
    private let rows: [String]
    /// The JSON document; nil when it is the list of the rows.
    private let document: String?

    /// Creates a report from rows that are written as JSON.
    package init(columns: [String], rows: [String], document: String? = nil) {
        self.columns = columns
        self.rows = rows
        self.document = document
    }

    /// Creates a report from rows as values.
    package init(columns: [String], values: [JSONValue], document: JSONValue? = nil) {
        self.init(columns: columns, rows: values.map(\.json), document: document?.json)
    }

    /// The text of the report.
    ///
    /// - Parameter table: Makes the text for people.
    package func text(as format: OutputFormat, table: () -> String) -> String {
        switch format {
        case .table: table()
        case .csv: CSVRow.line(of: columns) + rows.map(csv).joined()
        case .json: json
        case .ndjson: rows.map { "\($0)\n" }.joined()
        }
    }

    /// The document, or an array with a row in each line.
    private var json: String {
        if let document { return "\(document)\n" }
        return rows.isEmpty ? "[]\n" : "[\n\(rows.joined(separator: ",\n"))\n]\n"
    }

    private func csv(_ row: String) -> String {
        let value = (try? JSONValue(json5: row)) ?? .null
        return CSVRow.line(of: columns.map { Self.cell(value.value(at: $0)) })
    }

    /// A value as a field: the elements of a list and of an object are separated by semicolons.
    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let number): Number.string(number)
        case .string(let text): text
        case .array(let elements): elements.map { cell($0) }.joined(separator: "; ")
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.map { "\($0.key): \(cell($0.value))" }
                .joined(separator: "; ")
        }
    }
}

extension JSONValue {
    /// The value at a path of keys, `access.group`; nil when there is none.
    fileprivate func value(at path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self) { (value: JSONValue?, key) in
            guard case .object(let fields) = value else { return nil }
            return fields[String(key)]
        }
    }
}
