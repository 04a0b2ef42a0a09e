import Glibc
package import HealthModel
import JSON

/// The document `{"v":1,"samples":[…],"events":[…]}`, made of journal lines copied unchanged.
///
/// Categories, correlations and workouts are among the samples, with their `kind`. When records were
/// deleted, a list `deletions` follows. The values of a line are not parsed: the journal contains only
/// the output of `RecordEncoder`. Such a line shows at its beginning whether it is a sample, an event or
/// a deletion; any other line is decoded.
package struct RecordDocument: Sendable {
    /// The document, without a newline.
    package let bytes: [UInt8]
    /// The indexes of lines that are not records.
    package let invalid: [Int]

    private enum Kind {
        case sample, event, deletion
    }

    private static let samplePrefix: StaticString = "{\"id\":\""
    private static let eventPrefix: StaticString = "{\"kind\":\"event\","
    private static let deletionPrefix: StaticString = "{\"kind\":\"deletion\","

    /// Makes the document of a batch, with its number if it has one.
    package init(_ lines: RecordLines, types: QuantityTypes, batch: UInt64? = nil) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.bytes.count + 64)
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        var events: [Int] = []
        var deletions: [Int] = []
        var invalid: [Int] = []
        bytes.append("{\"v\":1,")
        if let batch { bytes += "\"batch\":\(batch),".utf8 }
        bytes.append("\"samples\":[")
        var isFirst = true
        for index in 0..<lines.count {
            let line = Self.withoutLineEnd(lines[index])
            switch line.withUnsafeBytes({ Self.kind(of: $0, &decoder) }) {
            case .sample: Self.append(line, to: &bytes, &isFirst)
            case .event: events.append(index)
            case .deletion: deletions.append(index)
            case nil: invalid.append(index)
            }
        }
        bytes.append("],\"events\":[")
        Self.append(lines, at: events, to: &bytes)
        if !deletions.isEmpty {
            bytes.append("],\"deletions\":[")
            Self.append(lines, at: deletions, to: &bytes)
        }
        bytes.append("]}")
        self.bytes = bytes
        self.invalid = invalid
    }

    private static func append(
        _ lines: RecordLines, at indexes: [Int], to bytes: inout [UInt8]
    ) {
        var isFirst = true
        for index in indexes { append(withoutLineEnd(lines[index]), to: &bytes, &isFirst) }
    }

    private static func append(
        _ line: ArraySlice<UInt8>, to bytes: inout [UInt8], _ isFirst: inout Bool
    ) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(contentsOf: line)
    }

    private static func withoutLineEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\n") ? line.dropLast() : line
    }

    /// The kind of a line; nil when it is not a record.
    private static func kind(
        of line: UnsafeRawBufferPointer, _ decoder: inout RecordDecoder
    ) -> Kind? {
        if line.last == UInt8(ascii: "}") {
            if line.begins(with: eventPrefix) { return .event }
            if line.begins(with: deletionPrefix) { return .deletion }
            if line.begins(with: samplePrefix), !mayNameKind(line) { return .sample }
        }
        switch try? decoder.decode(line) {
        case .sample, .category, .correlation, .workout: return .sample
        case .event: return .event
        case .deletion: return .deletion
        case nil: return nil
        }
    }

    /// Whether a line may have a key `kind` after its first key, possibly with escapes.
    private static func mayNameKind(_ line: UnsafeRawBufferPointer) -> Bool {
        line.contains(UInt8(ascii: "k"), followedBy: "ind\"")
            || line.contains(UInt8(ascii: "\\"), followedBy: "u")
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the buffer begins with the text.
    fileprivate func begins(with text: StaticString) -> Bool {
        guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether the byte occurs followed by the text.
    ///
    /// It uses `memchr`, which scans a typical line in some nanoseconds.
    fileprivate func contains(_ byte: UInt8, followedBy text: StaticString) -> Bool {
        guard let baseAddress else { return false }
        var start = 0
        while let hit = memchr(baseAddress + start, Int32(byte), count - start) {
            start = baseAddress.distance(to: UnsafeRawPointer(hit)) + 1
            if UnsafeRawBufferPointer(rebasing: self[start...]).begins(with: text) { return true }
        }
        return false
    }
}
