/// The decoded fields of a record, whose keys may be in any order.
struct RecordDraft {
    enum Kind: String {
        case sample, category, correlation, workout, event, deletion
    }

    /// The keys of a record.
    enum Key: Int {
        case id, type, start, end, value, unit, person, device, source, metadata
        case kind, event, at, state, reason, samples
        case activity, activityName, location, events, totals, store

        private static let names: [StaticString] = [
            "id", "type", "start", "end", "value", "unit", "person", "device", "source",
            "metadata", "kind", "event", "at", "state", "reason", "samples", "activity",
            "activityName", "location", "events", "totals", "store",
        ]

        /// Finds a key by its bytes; nil for an unknown one.
        init?(_ bytes: UnsafeRawBufferPointer) {
            let index = Self.names.firstIndex {
                $0.utf8CodeUnitCount == bytes.count
                    && bytes.hasBytes(UnsafeRawBufferPointer($0.buffer), at: 0)
            }
            guard let index, let key = Self(rawValue: index) else { return nil }
            self = key
        }
    }

    var kind = Kind.sample
    var id: RecordID?
    var type: RecordType?
    /// The offset of the type, for an error.
    var typeOffset = 0
    var start: Instant?
    var end: Instant?
    var value: Double?
    var unit: Unit?
    var person: String?
    var device: Device?
    var source: SourceRevision?
    var metadata = Metadata()
    var hasEventName = false
    var at: Instant?
    var state: DeviceState?
    var reason: String?
    /// The samples of a correlation.
    var samples: [RecordDraft]?
    var activity: WorkoutActivity?
    var customName: (activity: WorkoutActivity, offset: Int)?
    var location = WorkoutLocation.unknown
    var events: [WorkoutEvent] = []
    var totals: [WorkoutTotal] = []
    var store: UInt64?

    private var seen: UInt32 = 0

    /// Notes a key; returns false for a duplicate.
    mutating func note(_ key: Key) -> Bool {
        let bit: UInt32 = 1 << UInt32(key.rawValue)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Makes the record.
    ///
    /// With `allowingUndeclared`, a record that does not fit the declaration of its type is
    /// accepted.
    func finish(allowingUndeclared: Bool) throws(RecordDecodingError) -> Record {
        switch kind {
        case .sample: .sample(try makeSample(allowingUndeclared: allowingUndeclared))
        case .category: .category(try makeCategory())
        case .correlation:
            .correlation(try makeCorrelation(allowingUndeclared: allowingUndeclared))
        case .workout: .workout(try makeWorkout())
        case .event: .event(try makeEvent())
        case .deletion:
            .deletion(
                DeletedRecord(
                    id: try require(id, "id"), typeName: type?.name, at: try require(at, "at"),
                    store: store))
        }
    }

    /// Makes a sample of a correlation.
    private func finishMember(
        allowingUndeclared: Bool
    ) throws(RecordDecodingError) -> Correlation.Member {
        kind == .category
            ? .category(try makeCategory())
            : .quantity(try makeSample(allowingUndeclared: allowingUndeclared))
    }

    private func makeSample(
        allowingUndeclared: Bool
    ) throws(RecordDecodingError) -> QuantitySample {
        let value = try require(value, "value")
        let unit = try require(unit, "unit")
        guard let quantity = try? Quantity(value, unit) else {
            throw .invalidValue(key: "value", expected: "a finite number", offset: 0)
        }
        let id = try require(id, "id")
        guard case .quantity(var type) = try require(type, "type") else { throw unknownType() }
        let start = try require(start, "start")
        let end = try require(end, "end")
        if allowingUndeclared, !type.fits(unit, from: start, to: end), !type.isStandard {
            type = QuantityType(undeclared: type.name, unit: unit)
        }
        do {
            return try QuantitySample(
                id: id, type: type, start: start, end: end, quantity: quantity, person: person,
                device: device, source: source, metadata: metadata)
        } catch {
            throw .invalidSample(error)
        }
    }

    private func makeCategory() throws(RecordDecodingError) -> CategorySample {
        let id = try require(id, "id")
        guard case .category(let type) = try require(type, "type") else { throw unknownType() }
        let start = try require(start, "start")
        let end = try require(end, "end")
        guard let value = Int(exactly: try require(value, "value")) else {
            throw .invalidSample(.unknownValue(type: type.name))
        }
        do {
            return try CategorySample(
                id: id, type: type, start: start, end: end, value: value, person: person,
                device: device, source: source, metadata: metadata)
        } catch {
            throw .invalidSample(error)
        }
    }

    /// Makes ids for the record and its samples where they have none.
    ///
    /// - Parameter makeID: Makes an id from the start of the record, and from 0 for the record itself or the
    ///   number of its sample, from 1.
    mutating func fillIDs(_ makeID: (Instant, UInt64) -> RecordID?) {
        guard let start = start ?? at else { return }
        if id == nil { id = makeID(start, 0) }
        for index in samples?.indices ?? 0..<0 where samples?[index].id == nil {
            samples?[index].id = makeID(start, UInt64(index) + 1)
        }
    }

    private func makeCorrelation(
        allowingUndeclared: Bool
    ) throws(RecordDecodingError) -> Correlation {
        let id = try require(id, "id")
        guard case .correlation(let type) = try require(type, "type") else { throw unknownType() }
        let start = try require(start, "start")
        let end = try require(end, "end")
        var members: [Correlation.Member] = []
        for sample in try require(samples, "samples") {
            members.append(try sample.finishMember(allowingUndeclared: allowingUndeclared))
        }
        do {
            return try Correlation(
                id: id, type: type, start: start, end: end, samples: members, person: person,
                device: device, source: source, metadata: metadata)
        } catch {
            throw .invalidSample(error)
        }
    }

    /// The error for a type that is unknown or of another kind.
    private func unknownType() -> RecordDecodingError {
        .invalidValue(
            key: "type", expected: "a known \(kind.rawValue) type", offset: typeOffset)
    }

    private func makeWorkout() throws(RecordDecodingError) -> Workout {
        let id = try require(id, "id")
        var activity = try require(activity, "activity")
        let start = try require(start, "start")
        let end = try require(end, "end")
        if let customName {
            guard activity.type == .other else {
                throw .invalidValue(
                    key: "activityName", expected: "used only with the activity other",
                    offset: customName.offset)
            }
            activity = customName.activity
        }
        do {
            return try Workout(
                id: id, activity: activity, location: location, start: start, end: end,
                events: events, totals: totals, person: person, device: device, source: source,
                metadata: metadata)
        } catch {
            throw .invalidWorkout(error)
        }
    }

    private func makeEvent() throws(RecordDecodingError) -> DeviceEvent {
        guard hasEventName else { throw .missingKey("event") }
        return DeviceEvent(
            id: try require(id, "id"), at: try require(at, "at"),
            device: try require(device, "device"), source: source, person: person,
            state: try require(state, "state"), reason: reason, metadata: metadata)
    }

    private func require<Value>(
        _ value: Value?, _ key: String
    ) throws(RecordDecodingError) -> Value {
        guard let value else { throw .missingKey(key) }
        return value
    }
}
