import Platform

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
    package static let startSize = 16_384

    /// The format of a file that starts with these bytes; nil for another one.
    package init?(start bytes: [UInt8]) {
        if bytes.dropFirst(8).starts(with: ".FIT".utf8) {
            self = .workout
            return
        }
        let start = bytes.prefix(Self.startSize)
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start
        let content = text.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
        switch content.first {
        case UInt8(ascii: "{"):
            guard Self.isRecord(content) else { return nil }
            self = .recordLines
        case UInt8(ascii: "<"):
            guard let format = Self.ofXML(content) else { return nil }
            self = format
        default:
            guard Self.isTable(content) else { return nil }
            self = .samples
        }
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

    /// XML is recognised by its root, which may follow a long list of declarations.
    private static func ofXML(_ content: ArraySlice<UInt8>) -> ImportFormat? {
        let text = String(decoding: content, as: UTF8.self)
        if text.contains(text: "TrainingCenterDatabase") { return .workout }
        return text.contains(text: "HealthData") ? .appleHealth : nil
    }
}
