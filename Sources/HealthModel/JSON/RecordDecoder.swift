/// A decoder for records from JSON, one object each.
///
/// It validates known keys strictly and skips unknown keys. Untrusted input is safe: it is decoded
/// or rejected, within limits of length and depth. Use one decoder for a stream: it caches recent
/// devices, sources, types and units.
public struct RecordDecoder: Sendable {
    /// The maximum length of a line, in bytes.
    public static let maximumLineLength = 65_536

    private static let undeclaredLimit = 20

    /// The names of the undeclared types that were decoded, up to a limit.
    package private(set) var undeclaredTypes: [String] = []

    private let known: QuantityTypes
    private let allowsUndeclared: Bool
    private var types = RecentValues<RecordType>()
    private var units = RecentValues<Unit>()
    private var people = RecentValues<String>()
    private var devices = RecentValues<Device>()
    private var sources = RecentValues<SourceRevision>()
    private var frames = RecentFrames()

    /// Makes a decoder for records of these types.
    ///
    /// A record of another type is rejected unless `allowingUndeclared` is true. Use that for
    /// stored records that may not match the current configuration: a record whose type is no
    /// longer declared, or declared in a way that it does not fit, is decoded with a type whose
    /// ``QuantityType/isDeclared`` is false, so that it can be forwarded unchanged. Metadata that
    /// an earlier version accepted is decoded too, without checks of known keys. Deletions are
    /// decoded only then: they come from a store.
    public init(types: QuantityTypes = .standard, allowingUndeclared: Bool = false) {
        known = types
        allowsUndeclared = allowingUndeclared
    }

    /// Decodes the record of a line, which may have white space around it.
    /// - Throws: the problem and its offset, never a value.
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

    /// Decodes the record of a line in memory.
    /// - Throws: the problem and its offset, never a value.
    public mutating func decode(
        _ line: UnsafeRawBufferPointer
    ) throws(RecordDecodingError) -> Record {
        guard line.count <= Self.maximumLineLength else { throw .lineTooLong }
        if let sample = frames.decode(line) { return .sample(sample) }
        let record = try decodeFully(line)
        if case .sample(let sample) = record, isOfEveryLine(sample.type) {
            frames.note(sample, readFrom: line)
        }
        return record
    }

    /// Decodes the record of a line in memory, which may have no id, as the samples of a correlation.
    ///
    /// - Parameter makeID: Makes an id from the start of the record, and from 0 for the record itself or the
    ///   number of its sample, from 1.
    /// - Throws: the problem and its offset, never a value.
    package mutating func decode(
        _ line: UnsafeRawBufferPointer, makeID: (Instant, UInt64) -> RecordID
    ) throws(RecordDecodingError) -> Record {
        guard line.count <= Self.maximumLineLength else { throw .lineTooLong }
        return try decodeFully(line, makeID: makeID)
    }

    /// Whether every sample with this type name has this type.
    ///
    /// It is false when the type is declared and a sample does not fit it, as the next sample may.
    private func isOfEveryLine(_ type: QuantityType) -> Bool {
        type.isDeclared || known.named(type.name) == nil
    }

    /// Decodes a line of a stream that is not cached.
    private mutating func decodeFully(
        _ line: UnsafeRawBufferPointer, makeID: (Instant, UInt64) -> RecordID? = { _, _ in nil }
    ) throws(RecordDecodingError) -> Record {
        if let offset = UTF8Validator.firstInvalidOffset(in: line) {
            throw .notUTF8(offset: offset)
        }
        var cursor = JSONCursor(line)
        var draft = try readObject(&cursor, isMember: false)
        try cursor.expectEnd()
        draft.fillIDs(makeID)
        let record = try draft.finish(allowingUndeclared: allowsUndeclared)
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
        case .category, .event, .deletion: return
        }
    }

    private mutating func note(_ type: QuantityType) {
        guard !type.isDeclared, undeclaredTypes.count < Self.undeclaredLimit,
            !undeclaredTypes.contains(type.name)
        else { return }
        undeclaredTypes.append(type.name)
    }

    /// Reads a record, or a sample of a correlation, which cannot contain samples itself.
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
    ) throws(RecordDecodingError) -> [RecordDraft] {
        cursor.skipSpace()
        let start = cursor.position
        guard cursor.take("[") else {
            throw .invalidValue(key: "samples", expected: "a list of samples", offset: start)
        }
        var members: [RecordDraft] = []
        if cursor.take("]") { return members }
        repeat {
            guard members.count < Correlation.maximumCount else {
                throw .invalidValue(
                    key: "samples", expected: "a list of up to \(Correlation.maximumCount) samples",
                    offset: start)
            }
            members.append(try readObject(&cursor, isMember: true))
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
        case .kind: draft.kind = try cursor.readKind(allowingDeletion: allowsUndeclared)
        case .id: draft.id = try cursor.readID()
        case .type:
            cursor.skipSpace()
            draft.typeOffset = cursor.position
            draft.type = try types.read(&cursor) {
                [known, allowsUndeclared] cursor throws(RecordDecodingError) in
                try cursor.readType(among: known, allowingUndeclared: allowsUndeclared)
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
            draft.metadata = try cursor.readMetadata(followingRules: !allowsUndeclared)
        case .event:
            try cursor.readEventName()
            draft.hasEventName = true
        case .at: draft.at = try cursor.readInstant(for: "at")
        case .state: draft.state = try cursor.readState()
        case .reason: draft.reason = try cursor.readString(for: "reason")
        case .samples: draft.samples = try readSamples(&cursor)
        case .activity: draft.activity = try cursor.readActivity()
        case .activityName: draft.customName = try cursor.readActivityName()
        case .location: draft.location = try cursor.readLocation()
        case .events:
            draft.events = try cursor.readWorkoutEvents(followingRules: !allowsUndeclared)
        case .totals:
            draft.totals = try cursor.readWorkoutTotals(
                among: known, allowingUndeclared: allowsUndeclared)
        case .store: draft.store = try cursor.readStore()
        }
    }

    /// Whether a key is optional; then `null` is the same as a missing key.
    private static func isOptional(_ key: RecordDraft.Key) -> Bool {
        switch key {
        case .person, .device, .source, .metadata, .reason, .activityName, .location: true
        default: false
        }
    }

    /// Whether a sample of a correlation may have a key; other keys are skipped there.
    private static func isOfMembers(_ key: RecordDraft.Key) -> Bool {
        switch key {
        case .event, .at, .state, .reason, .samples, .activity, .activityName, .location,
            .events, .totals, .store:
            false
        default: true
        }
    }
}
