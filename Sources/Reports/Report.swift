package import ArgumentValues
import CSV
package import JSON

/// The result of a command for programs: rows, as CSV and as JSON.
///
/// A table for people is made by the command, because it is shorter and in local time.
package struct Report {
    /// A column of CSV.
    package struct Column: ExpressibleByStringLiteral {
        let name: String
        /// The key of the row; `access.group` is a key of an object in it.
        let path: String

        /// Creates a column with a name of its own.
        package init(_ name: String, path: String) {
            self.name = name
            self.path = path
        }

        /// Creates a column that is named after its path.
        package init(stringLiteral path: String) { self.init(path, path: path) }
    }

    /// Nil for a row of CSV for each value, with its path.
    private let columns: [Column]?
    /// The rows, a JSON object each.
    private let rows: [String]
    /// The JSON document; nil when it is the list of the rows.
    private let document: String?

    /// Creates a report from rows that are written as JSON.
    package init(columns: [Column], rows: [String], document: String? = nil) {
        self.columns = columns
        self.rows = rows
        self.document = document
    }

    /// Creates a report from rows as values.
    package init(columns: [Column], values: [JSONValue], document: JSONValue? = nil) {
        self.init(columns: columns, rows: values.map(\.json), document: document?.json)
    }

    /// Creates a report of one object without rows; CSV has the columns `key` and `value`.
    package init(object: String) {
        columns = nil
        rows = [object]
        document = object
    }

    /// The text of the report.
    ///
    /// - Parameter table: Makes the text for people.
    package func text<Failure: Error>(
        as format: OutputFormat, table: () throws(Failure) -> String
    ) throws(Failure) -> String {
        switch format {
        case .table: try table()
        case .csv: csv
        case .json: json
        case .ndjson: rows.map { "\($0)\n" }.joined()
        }
    }

    /// The document, or an array with a row in each line.
    private var json: String {
        if let document { return "\(document)\n" }
        return rows.isEmpty ? "[]\n" : "[\n\(rows.joined(separator: ",\n"))\n]\n"
    }

    private var csv: String {
        let values = rows.map { (try? JSONValue(json5: $0)) ?? .null }
        guard let columns else {
            return CSVRow.line(of: ["key", "value"])
                + values.flatMap { $0.leaves(at: "") }.map { CSVRow.line(of: [$0.path, $0.text]) }
                .joined()
        }
        return CSVRow.line(of: columns.map(\.name))
            + values.map { value in
                CSVRow.line(of: columns.map { value.value(at: $0.path)?.cell ?? "" })
            }.joined()
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

    /// The value as a field: the elements of a list and of an object are separated by semicolons.
    fileprivate var cell: String {
        switch self {
        case .null: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let number): Number.string(number)
        case .string(let text): text
        case .array(let elements): elements.map(\.cell).joined(separator: "; ")
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.cell)" }
                .joined(separator: "; ")
        }
    }

    /// The values that are no object and no list of objects, with their paths: `sinks.0.name`.
    fileprivate func leaves(at path: String) -> [(path: String, text: String)] {
        func child(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        switch self {
        case .object(let fields):
            return fields.sorted { $0.key < $1.key }.flatMap { $0.value.leaves(at: child($0.key)) }
        case .array(let elements) where elements.contains(where: \.isObject):
            return elements.enumerated().flatMap { $1.leaves(at: child("\($0)")) }
        default: return [(path, cell)]
        }
    }

    private var isObject: Bool { if case .object = self { true } else { false } }
}
