import Platform
import WorkoutFiles
import XML

/// A format of files that are imported, recognised by the first bytes of a file.
package enum ImportFormat: String, Sendable {
    /// The `export.xml` of Apple Health.
    case appleHealth
    /// Records as JSON, one a line.
    case recordLines = "records"
    /// Samples as comma-separated values.
    case samples
    /// A workout in FIT or TCX.
    case workout

    /// The number of bytes that are examined.
    package static let startSize = 65_536

    /// The format of a file that starts with these bytes; nil for another one.
    package init?(start bytes: [UInt8]) {
        let start = Array(bytes.prefix(Self.startSize))
        if WorkoutFile.isWorkout(start) {
            self = .workout
        } else if let root = XMLRoot.name(start) {
            guard root == "HealthData" else { return nil }
            self = .appleHealth
        } else {
            guard let format = Self.ofText(start) else { return nil }
            self = format
        }
    }

    /// The format of lines or rows.
    private static func ofText(_ start: [UInt8]) -> ImportFormat? {
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        let content = text.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
        if content.first == UInt8(ascii: "{") { return isRecord(content) ? .recordLines : nil }
        return isTable(content) ? .samples : nil
    }

    /// Whether the first row names the columns of samples, after a line that may set the separator.
    private static func isTable(_ content: ArraySlice<UInt8>) -> Bool {
        let rows = content.split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
        guard let first = rows.first else { return false }
        guard let separator = SampleColumns.separator(line: first) else {
            return SampleColumns(header: first) != nil
        }
        return rows.count > 1 && SampleColumns(header: rows[1], separator: separator) != nil
    }

    /// Whether an object has a key that every record has; the configuration of a program has none.
    private static func isRecord(_ content: ArraySlice<UInt8>) -> Bool {
        let line = String(decoding: content.prefix { $0 != 0x0A }, as: UTF8.self)
        return line.contains(text: "\"type\"") || line.contains(text: "\"kind\"")
    }
}
