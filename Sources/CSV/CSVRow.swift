/// A row of comma-separated values (RFC 4180).
///
/// A field is in quotation marks when it has a separator, a quotation mark or a control character such
/// as a newline. Spaces belong to their field.
package enum CSVRow {
    /// What separates the fields.
    package enum Separator: UInt8, CaseIterable, Sendable {
        case comma = 0x2C
        case semicolon = 0x3B
        case tab = 0x09
    }

    private static let quote = UInt8(ascii: "\"")

    // MARK: Writing

    /// The fields as a row with its line end, separated by commas.
    package static func line(of fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { byte in
            byte == Separator.comma.rawValue || byte == quote || byte < 0x20
        }
        guard needsQuotes else { return field }
        // A quotation mark and a combining mark after it are one character.
        let parts = field.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.map(String.init).joined(separator: "\"\""))\""
    }

    // MARK: Reading

    /// Splits a row without its line end; nil when a quotation mark is in the wrong place, or the text
    /// is no UTF-8.
    package static func split(_ row: [UInt8], at separator: Separator = .comma) -> [String]? {
        var fields: [String] = []
        var position = 0
        while true {
            let isQuoted = position < row.count && row[position] == quote
            let field =
                isQuoted
                ? quoted(row, &position) : plain(row, &position, until: separator.rawValue)
            guard let field else { return nil }
            fields.append(field)
            guard position < row.count else { return fields }
            guard row[position] == separator.rawValue else { return nil }
            position += 1
        }
    }

    private static func plain(
        _ row: [UInt8], _ position: inout Int, until separator: UInt8
    ) -> String? {
        let end = row[position...].firstIndex(of: separator) ?? row.count
        let field = row[position..<end]
        position = end
        return field.contains(quote) ? nil : String(validating: field, as: UTF8.self)
    }

    private static func quoted(_ row: [UInt8], _ position: inout Int) -> String? {
        var field: [UInt8] = []
        position += 1
        while let end = row[position...].firstIndex(of: quote) {
            field += row[position..<end]
            position = end + 1
            guard position < row.count, row[position] == quote else {
                return String(validating: field, as: UTF8.self)
            }
            // Two quotation marks stand for one.
            field.append(quote)
            position += 1
        }
        return nil
    }
}
