import CSV

/// The columns of a table of samples, named in its first row, and what separates them.
///
/// The separator is the one between the names: a comma, a semicolon as spreadsheets of many countries
/// write it, or a tab.
struct SampleColumns {
    private static let required = ["type", "start"]
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let count: Int
    private let indices: [String: Int]
    private let separator: CSVRow.Separator

    /// Reads the names; nil when the row names no type and no start of samples.
    init?(header row: [UInt8]) {
        let mark = Self.byteOrderMark
        let row = row.starts(with: mark) ? Array(row.dropFirst(mark.count)) : row
        for separator in CSVRow.Separator.allCases {
            let names = CSVRow.split(row, at: separator) ?? []
            guard Self.required.allSatisfy(names.contains) else { continue }
            count = names.count
            indices = Dictionary(
                names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            self.separator = separator
            return
        }
        return nil
    }

    /// Whether there is a column.
    func has(_ name: String) -> Bool { indices[name] != nil }

    /// The fields of a row; nil when it cannot be split.
    func fields(of row: [UInt8]) -> Fields? {
        CSVRow.split(row, at: separator).map { Fields(texts: $0, columns: self) }
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

        /// What a decimal number consists of.
        private static let digits = Set("0123456789+-.,eE".utf8)

        /// The number of a field, nil for another text.
        ///
        /// A comma is the decimal point between semicolons, and nowhere else: between tabs, `1,234`
        /// could be a thousand.
        func number(_ name: String) -> Double? {
            guard let text = self[name], text.utf8.allSatisfy(Self.digits.contains) else {
                return nil
            }
            guard columns.separator == .semicolon, text.contains(",") else { return Double(text) }
            guard !text.contains(".") else { return nil }
            return Double(String(text.map { $0 == "," ? "." : $0 }))
        }
    }
}
