/// What has been read of a record, whose keys may come in any order.
struct RecordDraft {
    enum Kind: String {
        case sample, event
    }

    /// The keys of a record.
    enum Key: Int {
        case id, type, start, end, value, unit, person, device, source, metadata
        case kind, event, at, state, reason

        private static let names: [StaticString] = [
            "id", "type", "start", "end", "value", "unit", "person", "device", "source",
            "metadata", "kind", "event", "at", "state", "reason",
        ]

        /// Finds a key by its bytes; nil for one that is not known.
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
    var type: QuantityType?
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

    private var seen: UInt32 = 0

    /// Notes a key; false when it was there before.
    mutating func note(_ key: Key) -> Bool {
        let bit: UInt32 = 1 << UInt32(key.rawValue)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Makes the record.
    ///
    /// One that does not fit what is declared of its type is kept if that is wanted.
    func finish(keepingUndeclared: Bool) throws(RecordDecodingError) -> Record {
        switch kind {
        case .sample: .sample(try makeSample(keepingUndeclared: keepingUndeclared))
        case .event: .event(try makeEvent())
        }
    }

    private func makeSample(
        keepingUndeclared: Bool
    ) throws(RecordDecodingError) -> QuantitySample {
        let value = try require(value, "value")
        let unit = try require(unit, "unit")
        guard let quantity = try? Quantity(value, unit) else {
            throw .invalidValue(key: "value", expected: "a finite number", offset: 0)
        }
        let id = try require(id, "id")
        var type = try require(type, "type")
        let start = try require(start, "start")
        let end = try require(end, "end")
        if keepingUndeclared, !type.fits(unit, from: start, to: end), !type.isStandard {
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
