import CSV
import JSON

/// The columns of a table of samples, named in its first row, and what separates them.
///
/// The separator is the one between the names: a comma, a semicolon as spreadsheets of many countries
/// write it, or a tab.
struct SampleColumns {
    private static let required = ["type", "start"]
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The known names by their lowercased spelling.
    private static let known = Dictionary(
        uniqueKeysWithValues: [
            "id", "type", "start", "end", "value", "unit", "valueName", "person", "device",
            "deviceName", "source", "sampleType",
        ].map { ($0.lowercased(), $0) })

    /// A known name that several columns have, so that it is not clear which one counts; nil without one.
    let repeated: String?
    private let count: Int
    private let indices: [String: Int]
    private let separator: CSVRow.Separator
    /// Whether the names have blanks around them, so that the fields have too.
    private let isPadded: Bool

    /// Reads the names, in which case and blanks around them are ignored; nil when the row names no type
    /// and no start of samples.
    ///
    /// - Parameter separator: What separates them; nil for the one between the names.
    init?(header row: [UInt8], separator: CSVRow.Separator? = nil) {
        let row = Self.withoutMark(row)
        for separator in separator.map({ [$0] }) ?? CSVRow.Separator.allCases {
            let texts = CSVRow.split(row, at: separator) ?? []
            let indices = Self.indices(of: texts)
            guard Self.required.allSatisfy({ indices[$0] != nil }) else { continue }
            count = texts.count
            self.indices = indices
            repeated = Self.repeated(in: texts)
            self.separator = separator
            isPadded = texts.contains { Self.trimmed($0) != $0 }
            return
        }
        return nil
    }

    /// The separator that a line such as `sep=;` sets, which spreadsheets write before the names; nil
    /// for another line.
    static func separator(line row: [UInt8]) -> CSVRow.Separator? {
        let text = String(decoding: withoutMark(row), as: UTF8.self).filter { $0 != "\"" }
        guard text.lowercased().hasPrefix("sep="), text.utf8.count == 5 else { return nil }
        return text.utf8.last.flatMap { CSVRow.Separator(rawValue: $0) }
    }

    /// Whether a row has no text, so that the names may follow.
    static func isBlank(_ row: [UInt8]) -> Bool {
        withoutMark(row).allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private static func withoutMark(_ row: [UInt8]) -> [UInt8] {
        row.starts(with: byteOrderMark) ? Array(row.dropFirst(byteOrderMark.count)) : row
    }

    /// The columns by their names; a name in its own spelling is preferred to one in another.
    private static func indices(of texts: [String]) -> [String: Int] {
        let exact = texts.enumerated().map { ($1, $0) }
        let others = texts.enumerated().map { index, text in
            let name = trimmed(text)
            return (known[name.lowercased()] ?? name, index)
        }
        return Dictionary(exact + others) { first, _ in first }
    }

    /// The first known name that several columns have in its own spelling or, without such a column, in
    /// others.
    private static func repeated(in texts: [String]) -> String? {
        let columns = Dictionary(grouping: texts) { known[trimmed($0).lowercased()] ?? "" }
        return columns.filter { name, texts in
            let exact = texts.count { $0 == name }
            return !name.isEmpty && texts.count > 1 && exact != 1
        }.keys.min()
    }

    private static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else {
            return text
        }
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:))
        return String(text[..<(end ?? text.startIndex)].drop(while: \.isWhitespace))
    }

    /// Whether there is a column.
    func has(_ name: String) -> Bool { indices[name] != nil }

    /// The fields of a row; nil when it cannot be split.
    func fields(of row: [UInt8]) -> Fields? {
        CSVRow.split(row, at: separator).map { texts in
            Fields(texts: isPadded ? texts.map(Self.trimmed) : texts, columns: self)
        }
    }

    /// Whether a row has fields that have no column, other than empty ones at its end: a separator within
    /// a field may not be in quotation marks, such as a decimal comma.
    func hasSurplus(_ fields: Fields) -> Bool {
        fields.texts.dropFirst(count).contains { !$0.isEmpty }
    }

    /// The fields of a row by the names of their columns.
    struct Fields {
        fileprivate let texts: [String]
        fileprivate let columns: SampleColumns

        /// The text of a field; nil when it is empty or missing.
        subscript(_ name: String) -> String? {
            guard let index = columns.indices[name], index < texts.count else { return nil }
            return texts[index].isEmpty ? nil : texts[index]
        }

        /// The number of a field, nil for another text.
        ///
        /// A comma is the decimal point between semicolons, and nowhere else: between tabs, `1,234`
        /// could be a thousand.
        func number(_ name: String) -> Double? {
            guard let text = self[name] else { return nil }
            guard columns.separator == .semicolon, text.contains(",") else {
                return Double(decimal: text)
            }
            guard !text.contains(".") else { return nil }
            return Double(decimal: String(text.map { $0 == "," ? "." : $0 }))
        }
    }
}
