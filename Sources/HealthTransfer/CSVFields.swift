/// The fields of a row of CSV (RFC 4180).
enum CSVFields {
    /// Splits a row at its commas; nil when a quotation mark is in the wrong place,
    /// or the text is no UTF-8.
    static func split(_ row: [UInt8]) -> [String]? {
        var fields: [String] = []
        var position = 0
        while true {
            let isQuoted = position < row.count && row[position] == quote
            guard let field = isQuoted ? quoted(row, &position) : plain(row, &position)
            else { return nil }
            fields.append(field)
            guard position < row.count else { return fields }
            guard row[position] == comma else { return nil }
            position += 1
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")

    private static func plain(_ row: [UInt8], _ position: inout Int) -> String? {
        let end = row[position...].firstIndex(of: comma) ?? row.count
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
