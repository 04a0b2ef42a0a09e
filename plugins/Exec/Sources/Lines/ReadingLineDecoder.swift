package import HealthModel

/// A decoder of the lines of a program.
///
/// Any bytes are decoded or refused, within limits of length and depth. Use one decoder for a
/// program: it caches recent types, units and records.
package struct ReadingLineDecoder: Sendable {
    private let known: QuantityTypes
    private var types = RecentValues<QuantityType>()
    private var units = RecentValues<Unit>()
    private var records: RecordDecoder

    /// Makes a decoder for these types.
    package init(types: QuantityTypes = .standard) {
        known = types
        records = RecordDecoder(types: types)
    }

    /// Decodes a line.
    ///
    /// - Parameter makeID: Makes the id of a record without one, from its start and its line.
    /// - Throws: ``ReadingLineError`` with a problem that never has a value.
    package mutating func decode(
        _ line: ArraySlice<UInt8>, makeID: (Instant, ReadingLineNumber?) -> RecordID
    ) throws(ReadingLineError) -> ReadingLine {
        let result = line.withUnsafeBytes { decodeResult($0, makeID) }
        return try result.get()
    }

    private mutating func decodeResult(
        _ line: UnsafeRawBufferPointer, _ makeID: (Instant, ReadingLineNumber?) -> RecordID
    ) -> Result<ReadingLine, ReadingLineError> {
        do {
            return .success(try decode(line, makeID))
        } catch {
            let isReadable = error != .lineTooLong
            return .failure(
                ReadingLineError(
                    problem: error, sequence: isReadable ? Self.sequence(in: line) : nil))
        }
    }

    private mutating func decode(
        _ line: UnsafeRawBufferPointer, _ makeID: (Instant, ReadingLineNumber?) -> RecordID
    ) throws(RecordDecodingError) -> ReadingLine {
        guard line.count <= RecordDecoder.maximumLineLength else { throw .lineTooLong }
        if let offset = UTF8Validator.firstInvalidOffset(in: line) {
            throw .notUTF8(offset: offset)
        }
        guard let envelope = try Self.envelope(of: line) else {
            var draft = ReadingDraft()
            try read(line, into: &draft)
            return ReadingLine(
                content: try draft.finish(), device: draft.device, number: draft.number,
                id: draft.id)
        }
        let record = try records.decode(line) { makeID($0, envelope.number) }
        return ReadingLine(
            content: .record(record), device: nil, number: envelope.number,
            id: envelope.id == nil ? nil : record.id)
    }

    /// Reads what a record has beside itself; nil if the line is not a record.
    private static func envelope(
        of line: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> ReadingDraft? {
        var cursor = JSONCursor(line)
        var envelope = ReadingDraft()
        try cursor.expect("{")
        var isFirst = true
        while let text = try cursor.nextKey(isFirst: &isFirst) {
            switch Self.key(text, in: line) {
            case .reading, .discarded, .write: return nil
            case let key? where key == .seq || key == .session || key == .id:
                guard envelope.note(key) else { throw cursor.duplicate(key.name, text) }
                try envelope.read(key, from: &cursor)
            default: try cursor.skipValue()
            }
        }
        try cursor.expectEnd()
        return envelope
    }

    private static func key(
        _ text: JSONCursor.Text, in line: UnsafeRawBufferPointer
    ) -> ReadingLine.Key? {
        guard !text.hasEscapes else { return nil }
        return ReadingLine.Key(UnsafeRawBufferPointer(rebasing: line[text.range]))
    }

    private mutating func read(
        _ line: UnsafeRawBufferPointer, into draft: inout ReadingDraft
    ) throws(RecordDecodingError) {
        var cursor = JSONCursor(line)
        try cursor.expect("{")
        var isFirst = true
        while let text = try cursor.nextKey(isFirst: &isFirst) {
            guard let key = Self.key(text, in: line) else {
                try cursor.skipValue()
                continue
            }
            guard draft.note(key) else { throw cursor.duplicate(key.name, text) }
            switch key {
            case .type: try readType(&cursor, into: &draft)
            case .unit: try readUnit(&cursor, into: &draft)
            default: try draft.read(key, from: &cursor)
            }
        }
        try cursor.expectEnd()
    }

    private mutating func readType(
        _ cursor: inout JSONCursor, into draft: inout ReadingDraft
    ) throws(RecordDecodingError) {
        draft.type = try types.read(&cursor) { [known] cursor throws(RecordDecodingError) in
            cursor.skipSpace()
            let start = cursor.position
            guard let type = known.named(try cursor.readString(for: "type")) else {
                throw .unknownType(offset: start)
            }
            return type
        }
    }

    private mutating func readUnit(
        _ cursor: inout JSONCursor, into draft: inout ReadingDraft
    ) throws(RecordDecodingError) {
        draft.unit = try units.read(&cursor) { cursor throws(RecordDecodingError) in
            try cursor.readUnit(for: "unit")
        }
    }

    /// Finds the number of a line that cannot be used, to answer it.
    private static func sequence(in line: UnsafeRawBufferPointer) -> UInt64? {
        var cursor = JSONCursor(line)
        guard cursor.take("{") else { return nil }
        var isFirst = true
        while let text = try? cursor.nextKey(isFirst: &isFirst) {
            if key(text, in: line) == .seq { return try? cursor.readWholeNumber(for: "seq") }
            guard (try? cursor.skipValue()) != nil else { return nil }
        }
        return nil
    }
}
