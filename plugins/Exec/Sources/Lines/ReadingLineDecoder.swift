package import HealthModel
import Readings

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
        let record = try records.decode(line) { start, number in
            let id = makeID(start, envelope.number)
            guard number > 0 else { return id }
            return .make(start: start, device: id.description, stream: "member", key: number)
        }
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
            case .unit: draft.unit = try readUnit(&cursor)
            case .members: draft.members = try readMembers(&cursor, in: line)
            default: try draft.read(key, from: &cursor)
            }
        }
        try cursor.expectEnd()
    }

    private mutating func readType(
        _ cursor: inout JSONCursor, into draft: inout ReadingDraft
    ) throws(RecordDecodingError) {
        var other = cursor
        do throws(RecordDecodingError) {
            draft.type = try readQuantityType(&cursor)
        } catch {
            guard case .unknownType = error,
                let type = CorrelationType.named(try other.readString(for: "type"))
            else { throw error }
            draft.correlation = type
            cursor = other
        }
    }

    private mutating func readQuantityType(
        _ cursor: inout JSONCursor
    ) throws(RecordDecodingError) -> QuantityType {
        try types.read(&cursor) { [known] cursor throws(RecordDecodingError) in
            cursor.skipSpace()
            let start = cursor.position
            guard let type = known.named(try cursor.readString(for: "type")) else {
                throw .unknownType(offset: start)
            }
            return type
        }
    }

    private mutating func readUnit(
        _ cursor: inout JSONCursor
    ) throws(RecordDecodingError) -> Unit {
        try units.read(&cursor) { cursor throws(RecordDecodingError) in
            try cursor.readUnit(for: "unit")
        }
    }

    /// Reads values that were measured together.
    private mutating func readMembers(
        _ cursor: inout JSONCursor, in line: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> [CorrelationReading.Member] {
        cursor.skipSpace()
        let limit = Correlation.maximumCount
        let expected = "a list of 1 to \(limit) objects with type and value"
        guard cursor.take("[") else { throw cursor.invalid("members", expected) }
        var members: [CorrelationReading.Member] = []
        repeat {
            guard members.count < limit else { throw cursor.invalid("members", expected) }
            members.append(try readMember(&cursor, in: line))
        } while cursor.take(",")
        try cursor.expect("]")
        return members
    }

    private mutating func readMember(
        _ cursor: inout JSONCursor, in line: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> CorrelationReading.Member {
        var type: QuantityType?
        var value: Double?
        var unit: Unit?
        try cursor.expect("{")
        var isFirst = true
        while let text = try cursor.nextKey(isFirst: &isFirst) {
            switch Self.key(text, in: line) {
            case .type where type == nil: type = try readQuantityType(&cursor)
            case .value where value == nil: value = try cursor.readNumber(for: "value")
            case .unit where unit == nil: unit = try readUnit(&cursor)
            case let key? where [.type, .value, .unit].contains(key):
                throw cursor.duplicate(key.name, text)
            default: try cursor.skipValue()
            }
        }
        guard let type else { throw .missingKey("type") }
        guard let value else { throw .missingKey("value") }
        guard let quantity = try? Quantity(value, unit ?? type.canonicalUnit) else {
            throw .invalidValue(key: "value", expected: "a finite number", offset: 0)
        }
        return CorrelationReading.Member(type, quantity)
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
