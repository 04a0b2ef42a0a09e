public import HealthModel

/// A condition for records, which can be composed, kept and sent.
///
/// ```swift
/// let morning: RecordPredicate = .type(.heartRate) && .during(six..<nine) && !.wasEntered
/// ```
public indirect enum RecordPredicate: Hashable, Sendable, Codable {
    /// Every record.
    case all
    /// Records of a kind.
    case kind(RecordKind)
    /// Records of the type with this name; ``type(_:)`` makes it of a type.
    case typeName(String)
    /// Records with one of these ids.
    case ids(Set<RecordID>)
    /// Records in a period.
    case period(Period)
    /// Records of the person with this name; nil for those without a person.
    case person(String?)
    /// Records of a source with this name and, unless it is nil, this version.
    case source(name: String, version: String? = nil)
    /// Records of a device whose properties are all equal to these; nil for those without a device.
    case device(Device?)
    /// Records of a device one of whose properties has one of these values; with no values, records whose
    /// device lacks it.
    case deviceProperty(DeviceProperty, Set<String>)
    /// Records with a value for this key of the metadata.
    case hasMetadata(String)
    /// Records whose metadata compares in this way; a value of another kind, or of an incompatible unit,
    /// does not match.
    case metadata(String, Comparison, MetadataValue)
    /// Quantity samples whose value compares in this way; those of an incompatible unit do not match.
    case quantity(Comparison, Quantity)
    /// Category samples whose value compares in this way.
    case category(Comparison, Int)
    /// The samples of the workout with this id: those of its person that overlap it.
    case workout(RecordID)
    /// Records that match all of these.
    case and([RecordPredicate])
    /// Records that match one of these.
    case or([RecordPredicate])
    /// Records that do not match this.
    case not(RecordPredicate)

    /// A half-open period, and how records lie in it.
    public struct Period: Hashable, Sendable, Codable {
        /// The start; nil for any time before the end.
        public var start: Instant?
        /// The end, which is not in the period; nil for any time after the start.
        public var end: Instant?
        /// Whether a record must start in the period; otherwise it is enough to overlap it.
        public var isStartStrict: Bool
        /// Whether a record must end in the period.
        public var isEndStrict: Bool

        /// Makes a period.
        public init(
            start: Instant? = nil, end: Instant? = nil, isStartStrict: Bool = false,
            isEndStrict: Bool = false
        ) {
            self.start = start
            self.end = end
            self.isStartStrict = isStartStrict
            self.isEndStrict = isEndStrict
        }
    }

    /// How two values compare.
    public enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
        case lessThan = "<"
        case lessThanOrEqualTo = "<="
        case equalTo = "=="
        case notEqualTo = "!="
        case greaterThanOrEqualTo = ">="
        case greaterThan = ">"
    }

    /// A property of a device.
    public enum DeviceProperty: String, Hashable, Sendable, Codable, CaseIterable {
        case name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion
        case localIdentifier, serial
    }
}

// MARK: - Composition

extension RecordPredicate {
    /// Samples of a quantity type.
    public static func type(_ type: QuantityType) -> RecordPredicate { .typeName(type.name) }
    /// Samples of a category type.
    public static func type(_ type: CategoryType) -> RecordPredicate { .typeName(type.name) }
    /// Correlations of a type.
    public static func type(_ type: CorrelationType) -> RecordPredicate { .typeName(type.name) }

    /// Records that overlap a period.
    public static func during(_ period: Range<Instant>) -> RecordPredicate {
        .period(Period(start: period.lowerBound, end: period.upperBound))
    }

    /// Records that a person entered.
    public static var wasEntered: RecordPredicate {
        .metadata(MetadataKey.wasUserEntered.name, .equalTo, .boolean(true))
    }

    /// Records that match both.
    public static func && (left: RecordPredicate, right: RecordPredicate) -> RecordPredicate {
        if case .and(let parts) = left { return .and(parts + [right]) }
        return .and([left, right])
    }

    /// Records that match at least one.
    public static func || (left: RecordPredicate, right: RecordPredicate) -> RecordPredicate {
        if case .or(let parts) = left { return .or(parts + [right]) }
        return .or([left, right])
    }

    /// Records that do not match.
    public static prefix func ! (predicate: RecordPredicate) -> RecordPredicate { .not(predicate) }
}
