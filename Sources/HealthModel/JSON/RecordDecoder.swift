/// Reads records from JSON, one object each.
///
/// It is strict about what it knows and skips keys that it does not know. Input from anywhere is
/// safe: it is read or refused, within limits of length and depth. Keep one decoder for a stream:
/// it remembers the last devices, sources, types and units, so that they are made once.
public struct RecordDecoder: Sendable {
    /// A longer line, in bytes, is refused.
    public static let maximumLineLength = 65_536

    private static let undeclaredLimit = 20

    /// The types of records that were read and that nothing declares, the first few of them.
    package private(set) var undeclaredTypes: [String] = []

    private let known: QuantityTypes
    private let keepsUndeclared: Bool
    private var types = RecentValues<RecordType>()
    private var units = RecentValues<Unit>()
    private var people = RecentValues<String>()
    private var devices = RecentValues<Device>()
    private var sources = RecentValues<SourceRevision>()
    private var frames = RecentFrames()

    /// Makes a decoder that knows these types.
    ///
    /// A record of another type is refused, unless `keepingUndeclared` says otherwise. That is for records
    /// that were accepted already, under a configuration that has since changed: those whose type is not
    /// there any more, or is declared so that they do not fit it, are read with a type of which
    /// ``QuantityType/isDeclared`` is false, so that they can be handed on as they are. Metadata that an
    /// earlier version accepted is read too, whatever the values of known keys must be by now.
    public init(types: QuantityTypes = .standard, keepingUndeclared: Bool = false) {
        known = types
        keepsUndeclared = keepingUndeclared
    }

    /// Reads the record of a line; white space around it is allowed, anything else is not.
    /// - Throws: what is wrong and where, never a value.
    public mutating func decode(
        _ line: some Collection<UInt8>
    ) throws(RecordDecodingError) -> Record {
        let result = line.withContiguousStorageIfAvailable {
            decodeResult(UnsafeRawBufferPointer($0))
        }
        if let result { return try result.get() }
        guard line.count <= Self.maximumLineLength else { throw .lineTooLong }
        return try Array(line).withUnsafeBytes { decodeResult($0) }.get()
    }

    private mutating func decodeResult(
        _ line: UnsafeRawBufferPointer
    ) -> Result<Record, RecordDecodingError> {
        do {
            return .success(try decode(line))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the record of a line that is in memory.
    /// - Throws: what is wrong and where, never a value.
    public mutating func decode(
        _ line: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> Record {
        guard line.count <= Self.maximumLineLength else { throw .lineTooLong }
        if let sample = frames.decode(line) { return .sample(sample) }
        let record = try decodeAnew(line)
        if case .sample(let sample) = record, isOfEveryLine(sample.type) {
            frames.note(sample, readFrom: line)
        }
        return record
    }

    /// Whether another sample of this name is of this type too.
    ///
    /// It may be declared, and one sample does not fit that while the next one does.
    private func isOfEveryLine(_ type: QuantityType) -> Bool {
        type.isDeclared || known.named(type.name) == nil
    }

    /// Reads a line that is not like one of those before it.
    private mutating func decodeAnew(
        _ line: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> Record {
        if let offset = UTF8Check.firstInvalidOffset(in: line) { throw .notUTF8(offset: offset) }
        var cursor = JSONCursor(line)
        let draft = try readObject(&cursor, isMember: false)
        try cursor.expectEnd()
        let record = try draft.finish(keepingUndeclared: keepsUndeclared)
        noteUndeclared(in: record)
        return record
    }

    private mutating func noteUndeclared(in record: Record) {
        switch record {
        case .sample(let sample): note(sample.type)
        case .correlation(let correlation):
            for case .quantity(let sample) in correlation.samples { note(sample.type) }
        case .workout(let workout):
            for total in workout.totals { note(total.type) }
        case .category, .event: return
        }
    }

    private mutating func note(_ type: QuantityType) {
        guard !type.isDeclared, undeclaredTypes.count < Self.undeclaredLimit,
            !undeclaredTypes.contains(type.name)
        else { return }
        undeclaredTypes.append(type.name)
    }

    /// Reads a record, or a sample in a correlation, which cannot itself have samples.
    private mutating func readObject(
        _ cursor: inout JSONCursor, isMember: Bool
    ) throws(RecordDecodingError) -> RecordDraft {
        var draft = RecordDraft()
        try cursor.expect("{")
        var isFirst = true
        while let text = try cursor.nextKey(isFirst: &isFirst) {
            guard let key = try Self.key(text, in: cursor), !isMember || Self.isOfMembers(key)
            else {
                try cursor.skipValue()
                continue
            }
            guard draft.note(key) else {
                throw cursor.duplicate("\(key)", text)
            }
            try read(key, from: &cursor, into: &draft)
            if isMember, draft.kind != .sample, draft.kind != .category {
                throw .unsupportedMember(offset: text.range.lowerBound - 1)
            }
        }
        return draft
    }

    private mutating func readSamples(
        _ cursor: inout JSONCursor
    ) throws(RecordDecodingError) -> [Correlation.Member] {
        cursor.skipSpace()
        let start = cursor.position
        guard cursor.take("[") else {
            throw .invalidValue(key: "samples", expected: "a list of samples", offset: start)
        }
        var members: [Correlation.Member] = []
        if cursor.take("]") { return members }
        repeat {
            guard members.count < Correlation.maximumCount else {
                throw .invalidValue(
                    key: "samples", expected: "\(Correlation.maximumCount) at most", offset: start)
            }
            members.append(
                try readObject(&cursor, isMember: true).finishMember(
                    keepingUndeclared: keepsUndeclared))
        } while cursor.take(",")
        try cursor.expect("]")
        return members
    }

    private static func key(
        _ text: JSONCursor.Text, in cursor: JSONCursor
    ) throws(RecordDecodingError) -> RecordDraft.Key? {
        guard text.hasEscapes else {
            return RecordDraft.Key(UnsafeRawBufferPointer(rebasing: cursor.bytes[text.range]))
        }
        return Array(try cursor.string(text).utf8).withUnsafeBytes { RecordDraft.Key($0) }
    }

    private mutating func read(
        _ key: RecordDraft.Key, from cursor: inout JSONCursor, into draft: inout RecordDraft
    ) throws(RecordDecodingError) {
        if Self.isOptional(key), cursor.take(literal: "null") { return }
        switch key {
        case .kind: draft.kind = try cursor.readKind()
        case .id: draft.id = try cursor.readID()
        case .type:
            cursor.skipSpace()
            draft.typeOffset = cursor.position
            draft.type = try types.read(&cursor) {
                [known, keepsUndeclared] cursor throws(RecordDecodingError) in
                try cursor.readType(among: known, keepingUndeclared: keepsUndeclared)
            }
        case .start: draft.start = try cursor.readInstant(for: "start")
        case .end: draft.end = try cursor.readInstant(for: "end")
        case .value: draft.value = try cursor.readNumber(for: "value")
        case .unit:
            draft.unit = try units.read(&cursor) { cursor throws(RecordDecodingError) in
                try cursor.readUnit(for: "unit")
            }
        case .person:
            draft.person = try people.read(&cursor) { cursor throws(RecordDecodingError) in
                try cursor.readPerson()
            }
        case .device:
            draft.device = try devices.read(&cursor) { cursor throws(RecordDecodingError) in
                try cursor.readDevice()
            }
        case .source:
            draft.source = try sources.read(&cursor) { cursor throws(RecordDecodingError) in
                try cursor.readSource()
            }
        case .metadata:
            draft.metadata = try cursor.readMetadata(followingRules: !keepsUndeclared)
        case .event:
            try cursor.readEventName()
            draft.hasEventName = true
        case .at: draft.at = try cursor.readInstant(for: "at")
        case .state: draft.state = try cursor.readState()
        case .reason: draft.reason = try cursor.readString(for: "reason")
        case .samples: draft.samples = try readSamples(&cursor)
        case .activity: draft.activity = try cursor.readActivity()
        case .activityName: draft.ownName = try cursor.readActivityName()
        case .location: draft.location = try cursor.readLocation()
        case .events:
            draft.events = try cursor.readWorkoutEvents(followingRules: !keepsUndeclared)
        case .totals:
            draft.totals = try cursor.readWorkoutTotals(
                among: known, keepingUndeclared: keepsUndeclared)
        }
    }

    /// Whether a record may do without a key; then `null` is the same as leaving it out.
    private static func isOptional(_ key: RecordDraft.Key) -> Bool {
        switch key {
        case .person, .device, .source, .metadata, .reason, .activityName, .location: true
        default: false
        }
    }

    /// Whether a sample in a correlation may have a key; others are as good as unknown there.
    private static func isOfMembers(_ key: RecordDraft.Key) -> Bool {
        switch key {
        case .event, .at, .state, .reason, .samples, .activity, .activityName, .location,
            .events, .totals:
            false
        default: true
        }
    }
}
