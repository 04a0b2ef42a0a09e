/// What the samples of one stream have in common: the type, the unit, the person, the device, the
/// source and the metadata.
///
/// It is immutable and shared by the samples, so that a copy of one costs a single reference.
final class SampleOrigin: Hashable, Sendable {
    let type: QuantityType
    let unit: Unit
    let person: String?
    let device: Device?
    let source: SourceRevision?
    let metadata: Metadata

    /// Makes an origin whose parts have been validated.
    init(
        type: QuantityType, unit: Unit, person: String?, device: Device?, source: SourceRevision?,
        metadata: Metadata
    ) {
        self.type = type
        self.unit = unit
        self.person = person
        self.device = device
        self.source = source
        self.metadata = metadata
    }

    /// Whether the parts of both have the same bytes, which is stricter than equality.
    func hasSameText(as other: SampleOrigin) -> Bool {
        self === other
            || hasSameText(
                other.type, other.unit, other.person, other.device, other.source, other.metadata)
    }

    /// Whether the parts have the same bytes as these.
    func hasSameText(
        _ type: QuantityType, _ unit: Unit, _ person: String?, _ device: Device?,
        _ source: SourceRevision?, _ metadata: Metadata
    ) -> Bool {
        self.type == type && self.unit == unit && self.device == device && self.source == source
            && self.person.hasSameBytes(as: person) && self.metadata.hasSameText(as: metadata)
    }

    static func == (left: SampleOrigin, right: SampleOrigin) -> Bool {
        left === right
            || left.type == right.type && left.unit == right.unit && left.person == right.person
                && left.device == right.device && left.source == right.source
                && left.metadata == right.metadata
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(unit)
        hasher.combine(person)
        hasher.combine(device)
        hasher.combine(source)
        hasher.combine(metadata)
    }
}
