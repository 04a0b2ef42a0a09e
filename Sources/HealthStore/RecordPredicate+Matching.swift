public import HealthModel

extension RecordPredicate {
    /// Whether a record matches.
    ///
    /// - Parameter workouts: The workouts whose samples are asked for, by their ids; a predicate of a
    ///   workout that is not among them matches nothing.
    public func matches(_ record: Record, workouts: [RecordID: Workout] = [:]) -> Bool {
        switch self {
        case .all: true
        case .kind(let kind): RecordKind(record) == kind
        case .typeName(let name): record.typeName == name
        case .ids(let ids): ids.contains(record.id)
        case .period(let period): period.contains(record.span)
        case .person(let name): record.person == name
        case .source(let name, let version):
            record.source?.name == name && (version == nil || record.source?.version == version)
        case .device(let device): record.device == device
        case .deviceProperty(let property, let values):
            record.device.map { property.matches($0, values) } ?? false
        case .hasMetadata(let key): record.metadata[key] != nil
        case .metadata(let key, let comparison, let value):
            record.metadata[key].map { comparison.holds($0, value) } ?? false
        case .quantity(let comparison, let quantity): record.holds(comparison, quantity)
        case .category(let comparison, let value): record.holds(comparison, value)
        case .workout(let id): workouts[id]?.hasSample(record) ?? false
        case .and(let parts): parts.allSatisfy { $0.matches(record, workouts: workouts) }
        case .or(let parts): parts.contains { $0.matches(record, workouts: workouts) }
        case .not(let part): !part.matches(record, workouts: workouts)
        }
    }
}

extension RecordPredicate.Period {
    /// Whether a span of time lies in the period; an instant at its start does, one at its end does not.
    func contains(_ span: (start: Instant, end: Instant)) -> Bool {
        if let start {
            guard span.start >= start || !isStartStrict && span.end > start else { return false }
            guard !isEndStrict || span.end >= start else { return false }
        }
        guard let end else { return true }
        return span.start < end && (!isEndStrict || span.end < end)
    }
}

extension RecordPredicate.DeviceProperty {
    func matches(_ device: Device, _ values: Set<String>) -> Bool {
        guard let value = value(of: device) else { return values.isEmpty }
        return values.contains(value)
    }

    func value(of device: Device) -> String? {
        switch self {
        case .name: device.name
        case .manufacturer: device.manufacturer
        case .model: device.model
        case .hardwareVersion: device.hardwareVersion
        case .firmwareVersion: device.firmwareVersion
        case .softwareVersion: device.softwareVersion
        case .localIdentifier: device.localIdentifier
        case .serial: device.serial
        }
    }
}

extension RecordPredicate.Comparison {
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .lessThan: left < right
        case .lessThanOrEqualTo: left <= right
        case .equalTo: left == right
        case .notEqualTo: left != right
        case .greaterThanOrEqualTo: left >= right
        case .greaterThan: left > right
        }
    }

    /// Compares quantities in the unit of the right one; those of incompatible units do not compare.
    func holds(_ left: Quantity, _ right: Quantity) -> Bool {
        guard let value = try? left.value(in: right.unit) else { return false }
        return holds(value, right.value)
    }

    func holds(_ left: MetadataValue, _ right: MetadataValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): holds(left, right)
        case (.number(let left), .number(let right)): holds(left, right)
        case (.boolean(let left), .boolean(let right)): holds(left ? 1 : 0, right ? 1 : 0)
        case (.date(let left), .date(let right)): holds(left, right)
        case (.quantity(let left), .quantity(let right)): holds(left, right)
        default: false
        }
    }
}

extension Record {
    var metadata: Metadata {
        switch self {
        case .sample(let sample): sample.metadata
        case .category(let sample): sample.metadata
        case .correlation(let correlation): correlation.metadata
        case .workout(let workout): workout.metadata
        case .event(let event): event.metadata
        case .deletion: Metadata()
        }
    }

    fileprivate func holds(
        _ comparison: RecordPredicate.Comparison, _ quantity: Quantity
    ) -> Bool {
        guard case .sample(let sample) = self else { return false }
        return comparison.holds(sample.quantity, quantity)
    }

    fileprivate func holds(_ comparison: RecordPredicate.Comparison, _ value: Int) -> Bool {
        guard case .category(let sample) = self else { return false }
        return comparison.holds(sample.value, value)
    }
}

extension Workout {
    /// Whether a record is a sample of this workout: one of its person that overlaps it.
    fileprivate func hasSample(_ record: Record) -> Bool {
        guard [.sample, .category].contains(RecordKind(record)), record.person == person else {
            return false
        }
        let period = RecordPredicate.Period(start: start, end: end)
        return period.contains(record.span)
    }
}
